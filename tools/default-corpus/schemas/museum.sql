-- Museums: the artworks they show, the artists, and who comes to see them.

CREATE TABLE museum (
    museum_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT,
    theme TEXT,
    annual_visitors INTEGER,
    entry_fee REAL
);

CREATE TABLE artist (
    artist_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    nationality TEXT,
    birth_year INTEGER,
    death_year INTEGER
);

CREATE TABLE artwork (
    artwork_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    artist_id INTEGER REFERENCES artist (artist_id),
    museum_id INTEGER REFERENCES museum (museum_id),
    kind TEXT,
    creation_year INTEGER,
    insured_value INTEGER
);

CREATE TABLE visitor (
    visitor_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    age INTEGER,
    ticket_type TEXT
);

CREATE TABLE museum_visit (
    visit_id INTEGER PRIMARY KEY,
    visitor_id INTEGER REFERENCES visitor (visitor_id),
    museum_id INTEGER REFERENCES museum (museum_id),
    visit_date DATE,
    minutes INTEGER
);

INSERT INTO museum VALUES
    (1, 'Hall of Sails', 'Porto', 'maritime', 52000, 9.0),
    (2, 'Stone Gallery', 'Lyon', 'art', 118000, 12.5),
    (3, 'Kingsway Collection', 'Bath', 'art', 64000, 8.0),
    (4, 'Museum of Bread', 'Lyon', 'food', 23000, 5.5),
    (5, 'Old Observatory', 'Turin', 'science', 71000, 10.0),
    (6, 'Railway House', 'Derby', 'transport', 39000, 7.5),
    (7, 'Villa Serena', 'Turin', 'art', 86000, 11.0);

INSERT INTO artist VALUES
    (1, 'Clara Vogt', 'German', 1871, 1940),
    (2, 'Henri Lacombe', 'French', 1834, 1899),
    (3, 'Bianca Leone', 'Italian', 1902, 1981),
    (4, 'Rufus Hale', 'British', 1790, 1851),
    (5, 'Maria Teixeira', 'Portuguese', 1948, NULL),
    (6, 'Jules Aubert', 'French', 1888, 1962),
    (7, 'Otto Brandt', 'German', 1920, 1999),
    (8, 'Nadia Conti', 'Italian', 1975, NULL);

INSERT INTO artwork VALUES
    (1, 'Harbour at Dawn', 4, 7, 'sculpture', 1925, 670),
    (2, 'The Red Umbrella', 6, 2, 'painting', 2015, 675),
    (3, 'Study of Hands', 4, 2, 'painting', 1924, 405),
    (4, 'Fields near Metz', 2, 2, 'drawing', 1987, 830),
    (5, 'Blue Interior', 1, 5, 'sculpture', 1977, 805),
    (6, 'Portrait of a Baker', 7, 2, 'drawing', 1813, 695),
    (7, 'Silent Bridge', 1, 1, 'painting', 1858, 325),
    (8, 'Morning Tram', 6, 1, 'sculpture', 1893, 580),
    (9, 'The Card Players', 6, 2, 'drawing', 1869, 835),
    (10, 'Two Sisters', 2, 7, 'painting', 1979, 125),
    (11, 'Ruins by Moonlight', 4, 3, 'sculpture', 1951, 125),
    (12, 'The Glass Bird', 2, 3, 'painting', 1941, 385),
    (13, 'Winter Orchard', 1, 2, 'drawing', 2006, 155),
    (14, 'Woman Reading', 3, 2, 'painting', 1908, 105),
    (15, 'Broken Column', 1, 1, 'painting', 1863, 85),
    (16, 'Night Ferry', 4, 5, 'photograph', 1911, 555),
    (17, 'Still Life with Figs', 1, 2, 'photograph', 1879, 450),
    (18, 'The Quarry', 1, 3, 'painting', 1813, 540),
    (19, 'Golden Hour', 1, 2, 'painting', 1990, 145),
    (20, 'Self-Portrait at Forty', 1, 1, 'sculpture', 2014, 640);

INSERT INTO visitor VALUES
    (1, 'Ana Prado', 31, 'adult'),
    (2, 'Ben Oakes', 12, 'child'),
    (3, 'Celia Worth', 68, 'senior'),
    (4, 'Dirk Maas', 45, 'adult'),
    (5, 'Elsa Roy', 20, 'student'),
    (6, 'Fabio Neri', 37, 'adult'),
    (7, 'Greta Olin', 72, 'senior'),
    (8, 'Hugo Lang', 23, 'student'),
    (9, 'Inga Dahl', 9, 'child'),
    (10, 'Juan Rey', 54, 'adult');

INSERT INTO museum_visit VALUES
    (1, 1, 7, '2023-04-15', 120),
    (2, 3, 2, '2023-07-21', 90),
    (3, 1, 5, '2023-07-07', 40),
    (4, 3, 3, '2023-01-07', 55),
    (5, 4, 2, '2023-01-05', 55),
    (6, 5, 3, '2023-01-25', 120),
    (7, 4, 3, '2023-07-03', 40),
    (8, 1, 2, '2023-10-21', 55),
    (9, 1, 5, '2023-06-20', 90),
    (10, 1, 6, '2023-10-05', 180),
    (11, 4, 2, '2023-11-05', 75),
    (12, 3, 2, '2023-12-07', 55),
    (13, 8, 7, '2023-04-22', 90),
    (14, 5, 2, '2023-07-02', 40),
    (15, 1, 1, '2023-09-09', 55),
    (16, 8, 5, '2023-05-14', 180),
    (17, 6, 6, '2023-05-17', 55),
    (18, 8, 2, '2023-03-08', 90),
    (19, 6, 2, '2023-05-07', 55),
    (20, 8, 1, '2023-02-09', 90),
    (21, 5, 2, '2023-01-02', 55),
    (22, 3, 5, '2023-09-19', 55),
    (23, 1, 5, '2023-03-15', 75),
    (24, 7, 7, '2023-10-05', 120),
    (25, 1, 1, '2023-08-12', 150),
    (26, 3, 1, '2023-01-20', 150);
