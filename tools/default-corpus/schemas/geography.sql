-- Countries of an invented world: their cities, mountains and rivers.

CREATE TABLE country (
    country_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    continent TEXT,
    population INTEGER,
    area INTEGER,
    currency TEXT
);

CREATE TABLE city (
    city_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    country_id INTEGER,
    population INTEGER,
    founded INTEGER,
    is_capital INTEGER,
    FOREIGN KEY (country_id) REFERENCES country (country_id)
);

CREATE TABLE mountain (
    mountain_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    country_id INTEGER,
    height INTEGER,
    first_climbed INTEGER,
    FOREIGN KEY (country_id) REFERENCES country (country_id)
);

CREATE TABLE river (
    river_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    length INTEGER,
    country_id INTEGER,
    FOREIGN KEY (country_id) REFERENCES country (country_id)
);

INSERT INTO country VALUES
    (1, 'Norland', 'Europe', 5400000, 324000, 'crown'),
    (2, 'Estavia', 'Europe', 38000000, 212000, 'euro'),
    (3, 'Carova', 'Europe', 8900000, 91000, 'euro'),
    (4, 'Tamira', 'Asia', 61000000, 540000, 'rupee'),
    (5, 'Quindao', 'Asia', 120000000, 830000, 'yuan'),
    (6, 'Zambara', 'Africa', 17000000, 610000, 'franc'),
    (7, 'Oruwa', 'Africa', 29000000, 450000, 'franc'),
    (8, 'Peralta', 'South America', 32000000, 1200000, 'peso'),
    (9, 'Montevera', 'South America', 4100000, 150000, 'peso'),
    (10, 'Saint Alba', 'North America', 300000, 2100, 'dollar');

INSERT INTO city VALUES
    (1, 'Norhaven', 2, 4230000, 1633, 0),
    (2, 'Brightport', 7, 8260000, 1807, 1),
    (3, 'Estaburg', 2, 250000, 1347, 0),
    (4, 'Lowenfeld', 5, 1580000, 1360, 1),
    (5, 'Carova City', 1, 2000000, 1693, 0),
    (6, 'Tamir', 5, 7830000, 911, 0),
    (7, 'Sandabad', 4, 470000, 855, 0),
    (8, 'Quinlu', 3, 3990000, 1002, 0),
    (9, 'Harmony Bay', 8, 3200000, 1629, 0),
    (10, 'Zamba', 9, 4070000, 1747, 0),
    (11, 'Kuruma', 1, 2860000, 1402, 0),
    (12, 'Oruwa Town', 5, 8310000, 1082, 1),
    (13, 'Delta Point', 1, 4630000, 1489, 1),
    (14, 'Peralto', 7, 80000, 1086, 1),
    (15, 'Santa Lira', 4, 6250000, 1407, 0),
    (16, 'Montes', 8, 5760000, 1089, 0),
    (17, 'Windholm', 8, 1330000, 1362, 0),
    (18, 'Greyford', 1, 3130000, 955, 1);

INSERT INTO mountain VALUES
    (1, 'Mount Brand', 6, 2890, 1931),
    (2, 'Grey Tooth', 2, 3410, NULL),
    (3, 'Old Widow', 7, 1760, 1964),
    (4, 'Sky Ladder', 6, 6120, 1868),
    (5, 'Mount Kesh', 7, 7240, 1931),
    (6, 'Lion Rock', 2, 2130, 1964),
    (7, 'White Crown', 4, 5020, 1931),
    (8, 'Mount Sorrow', 4, 4390, 1889),
    (9, 'The Needle', 2, 3150, 1889),
    (10, 'Giant Step', 5, 980, 1964);

INSERT INTO river VALUES
    (1, 'Brand', 310, 8),
    (2, 'Esta', 870, 4),
    (3, 'Silver Run', 140, 3),
    (4, 'Great Tam', 2300, 5),
    (5, 'Yellow Snake', 4100, 7),
    (6, 'Zam', 1900, 8),
    (7, 'Oru', 1250, 8),
    (8, 'Peral', 3600, 4),
    (9, 'Mist', 95, 1);
