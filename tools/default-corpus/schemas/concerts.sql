-- Bands on tour: musicians, albums, venues and concerts.

CREATE TABLE band (
    band_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    genre TEXT,
    country TEXT,
    founded INTEGER
);

CREATE TABLE musician (
    musician_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    instrument TEXT,
    age INTEGER,
    band_id INTEGER REFERENCES band (band_id)
);

CREATE TABLE venue (
    venue_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT,
    capacity INTEGER,
    opening_year INTEGER
);

CREATE TABLE concert (
    concert_id INTEGER PRIMARY KEY,
    band_id INTEGER REFERENCES band (band_id),
    venue_id INTEGER REFERENCES venue (venue_id),
    concert_date DATE,
    ticket_price REAL,
    attendance INTEGER
);

CREATE TABLE album (
    album_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    band_id INTEGER REFERENCES band (band_id),
    release_year INTEGER,
    length INTEGER,
    sales INTEGER
);

INSERT INTO band VALUES
    (1, 'Velvet Static', 'rock', 'United Kingdom', 2009),
    (2, 'Paper Foxes', 'indie', 'Ireland', 2014),
    (3, 'Los Faroles', 'latin', 'Spain', 1998),
    (4, 'Northern Choir', 'folk', 'Norway', 1987),
    (5, 'Glass Motel', 'indie', 'United Kingdom', 2017),
    (6, 'Iron Parade', 'metal', 'Germany', 1993),
    (7, 'Blue Meridian', 'jazz', 'France', 2003),
    (8, 'Kite Season', 'folk', 'Ireland', 2019),
    (9, 'The Loud Hours', 'rock', 'United Kingdom', 2001);

INSERT INTO musician VALUES
    (1, 'Adele Moss', 'guitar', 38, 1),
    (2, 'Bram Visser', 'drums', 41, 1),
    (3, 'Cian Burke', 'vocals', 29, 2),
    (4, 'Dara Flynn', 'bass', 31, 2),
    (5, 'Eva Marin', 'vocals', 52, 3),
    (6, 'Felipe Rios', 'guitar', 55, 3),
    (7, 'Greta Dahl', 'violin', 61, 4),
    (8, 'Hakon Lie', 'vocals', 66, 4),
    (9, 'Isla Grey', 'guitar', 25, 5),
    (10, 'Jonah Pike', 'drums', 27, 5),
    (11, 'Kurt Engel', 'guitar', 49, 6),
    (12, 'Lars Roth', 'bass', 51, 6),
    (13, 'Margot Blanc', 'piano', 44, 7),
    (14, 'Nils Carron', 'saxophone', 47, 7),
    (15, 'Orla Keane', 'violin', 23, 8),
    (16, 'Pat Doran', 'guitar', 24, 8),
    (17, 'Queenie Shaw', 'vocals', 45, 9),
    (18, 'Rory Banks', 'drums', NULL, 9),
    (19, 'Sid Marlow', 'bass', 43, 9);

INSERT INTO venue VALUES
    (1, 'Roundhouse', 'London', 3300, 1966),
    (2, 'Olympia', 'Dublin', 1240, 1879),
    (3, 'Apolo', 'Barcelona', 1600, 1943),
    (4, 'Rockefeller', 'Oslo', 1350, 1986),
    (5, 'Columbia Hall', 'Berlin', 3500, 1951),
    (6, 'The Cavern Yard', 'Liverpool', 500, 1973),
    (7, 'Sunset Stage', 'Barcelona', 850, 2012),
    (8, 'Brudenell', 'Leeds', 400, 1913);

INSERT INTO concert VALUES
    (1, 1, 5, '2024-07-16', 18, 2135),
    (2, 9, 4, '2024-08-27', 35, 742),
    (3, 5, 1, '2024-08-11', 22.5, 2178),
    (4, 3, 8, '2024-01-14', 25, 320),
    (5, 4, 3, '2024-05-27', 35, 1488),
    (6, 6, 1, '2024-05-22', 42, 1716),
    (7, 9, 4, '2024-04-15', 48, 540),
    (8, 1, 5, '2024-04-05', 30, 2555),
    (9, 3, 5, '2024-04-11', 75, 3220),
    (10, 5, 3, '2024-02-21', 42, 1584),
    (11, 9, 1, '2024-04-14', 30, 1287),
    (12, 5, 1, '2024-05-27', 22.5, 1485),
    (13, 4, 1, '2024-10-12', 25, 1617),
    (14, 5, 1, '2024-03-26', 30, 2607),
    (15, 4, 3, '2024-08-08', 35, 848),
    (16, 5, 5, '2024-03-28', 22.5, 2415),
    (17, 2, 4, '2024-03-22', 25, 769),
    (18, 9, 4, '2024-06-11', 48, 850),
    (19, 5, 1, '2024-12-02', 42, 2475),
    (20, 1, 2, '2024-05-15', 48, 682),
    (21, 9, 3, '2024-08-22', 30, 1104),
    (22, 5, 5, '2024-10-16', 22.5, 1960),
    (23, 6, 4, '2024-08-13', 25, 1188),
    (24, 6, 5, '2024-06-18', 48, 3395),
    (25, 1, 8, '2024-09-15', 22.5, 352),
    (26, 9, 1, '2024-01-15', 75, 1419),
    (27, 3, 1, '2024-02-05', 22.5, 3069),
    (28, 1, 4, '2024-08-28', 48, 1336),
    (29, 3, 4, '2024-12-09', 60, 1201),
    (30, 6, 3, '2024-09-17', 25, 1040);

INSERT INTO album VALUES
    (1, 'Neon Weather', 1, 2011, 47, 120000),
    (2, 'Second Skin', 1, 2015, 52, 310000),
    (3, 'Half Awake', 1, 2020, 39, 95000),
    (4, 'Foxglove', 2, 2016, 41, 88000),
    (5, 'River Maps', 2, 2021, 44, 64000),
    (6, 'Noche Larga', 3, 1999, 58, 540000),
    (7, 'Calle Azul', 3, 2006, 50, 275000),
    (8, 'Fjord Songs', 4, 1990, 63, 150000),
    (9, 'Winter Hymns', 4, 2002, 71, 98000),
    (10, 'Checkout Time', 5, 2019, 36, 42000),
    (11, 'Steel Procession', 6, 1995, 55, 460000),
    (12, 'Hammerfall Road', 6, 2008, 60, 390000),
    (13, 'Rust', 6, 2018, 48, 130000),
    (14, 'Meridian Nights', 7, 2005, 66, 77000),
    (15, 'Loud and Clear', 9, 2003, 45, 605000),
    (16, 'After Hours', 9, 2010, 43, 330000);
