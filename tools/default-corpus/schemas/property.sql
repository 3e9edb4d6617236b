-- An estate agency: agents, properties, buyers and viewings.

CREATE TABLE agent (
    agent_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    phone TEXT,
    commission REAL,
    start_year INTEGER
);

CREATE TABLE property (
    property_id INTEGER PRIMARY KEY,
    address TEXT NOT NULL,
    city TEXT,
    type TEXT,
    price INTEGER,
    bedrooms INTEGER,
    floor_area INTEGER,
    year_built INTEGER,
    has_garden INTEGER,
    agent_id INTEGER,
    FOREIGN KEY (agent_id) REFERENCES agent (agent_id)
);

CREATE TABLE buyer (
    buyer_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    budget INTEGER,
    city TEXT,
    email TEXT
);

CREATE TABLE viewing (
    viewing_id INTEGER PRIMARY KEY,
    property_id INTEGER,
    buyer_id INTEGER,
    viewing_date DATE,
    rating INTEGER,
    FOREIGN KEY (property_id) REFERENCES property (property_id),
    FOREIGN KEY (buyer_id) REFERENCES buyer (buyer_id)
);

INSERT INTO agent VALUES
    (1, 'Noah Novak', '0981284 393', 3.0, 2007),
    (2, 'Anna Becker', '0322904 504', 1.5, 2005),
    (3, 'Kevin Murray', '0795846 511', 2.0, 2008),
    (4, 'Clara Kowalski', '0899193 462', 1.5, 2010),
    (5, 'Karen Silva', '0596099 268', 2.5, 2015),
    (6, 'Peter Doyle', '0806507 991', 3.0, 2005),
    (7, 'Ben Vance', '0548773 245', 1.5, 2018);

INSERT INTO property VALUES
    (1, '50 Mill Lane', 'Oxford', 'flat', 630000, 3, 55, 1963, 0, 6),
    (2, '6 High Street', 'Boston', 'flat', 395000, 1, 210, 2008, 0, 2),
    (3, '84 Park Road', 'Oxford', 'studio', 315000, 1, 225, 1967, 1, 4),
    (4, '45 Station Road', 'Boston', 'studio', 675000, 5, 30, 1926, 1, 2),
    (5, '78 Church Street', 'Cardiff', 'house', 310000, 1, 85, 2019, 0, 2),
    (6, '59 Elm Avenue', 'Denver', 'studio', 460000, 1, 155, 1891, 0, 4),
    (7, '42 Bridge Street', 'Cardiff', 'studio', 240000, 5, 235, 1919, 1, 4),
    (8, '53 Castle View', 'Bristol', 'cottage', 310000, 2, 115, 1981, 0, 2),
    (9, '87 Hill Top', 'Bristol', 'studio', 435000, 2, 100, 1972, 0, 5),
    (10, '19 River Walk', 'Boston', 'house', 400000, 4, 175, 2009, 0, 1),
    (11, '43 Orchard Close', 'Oxford', 'house', 115000, 6, 215, 1890, 1, 3),
    (12, '90 Chapel Row', 'Denver', 'flat', 200000, 6, 130, 2005, 1, 4),
    (13, '52 Meadow Way', 'Denver', 'flat', 540000, 4, 135, 1972, 1, 2),
    (14, '21 Queens Drive', 'Boston', 'cottage', 280000, 2, 170, 2020, 0, 6),
    (15, '29 Abbey Court', 'Boston', 'cottage', 615000, 4, 235, 2010, 1, 2),
    (16, '43 North Parade', 'Denver', 'cottage', 155000, 2, 185, 1947, 0, 2),
    (17, '64 Garden Place', 'York', 'house', 630000, 4, 145, 1931, 0, 4),
    (18, '77 West End', 'Bristol', 'cottage', 585000, 1, 100, 1899, 1, 3),
    (19, '71 Forest Edge', 'Denver', 'studio', 575000, 1, 180, 1948, 1, 3),
    (20, '78 Harbour Mews', 'Boston', 'studio', 320000, 2, 90, 1978, 0, 3);

INSERT INTO buyer VALUES
    (1, 'Zoe Reid', 100000, 'York', NULL),
    (2, 'Sam Abbot', 550000, 'Oxford', 'sam@mail.example'),
    (3, 'Carlos Green', 275000, 'Denver', NULL),
    (4, 'Ruth Vance', 625000, 'York', 'ruth@mail.example'),
    (5, 'Walter Murray', 275000, 'Denver', NULL),
    (6, 'Olga Turner', 650000, 'Oxford', 'olga@mail.example'),
    (7, 'Noah Archer', 600000, 'Oxford', NULL),
    (8, 'Sofia Turner', 175000, 'Boston', NULL),
    (9, 'Wanda Quinn', 400000, 'Boston', 'wanda@mail.example'),
    (10, 'Ravi Fischer', 350000, 'Denver', NULL),
    (11, 'Victor Abbot', 300000, 'York', NULL),
    (12, 'Julia Brown', 275000, 'Cardiff', 'julia@mail.example'),
    (13, 'Dora Costa', 200000, 'Oxford', 'dora@mail.example'),
    (14, 'Marco Larsen', 600000, 'Bristol', 'marco@mail.example'),
    (15, 'Tina Dunn', 275000, 'Denver', NULL),
    (16, 'Ivan Hansen', 675000, 'Oxford', 'ivan@mail.example');

INSERT INTO viewing VALUES
    (1, 16, 2, '2022-07-23', 3),
    (2, 1, 8, '2023-12-18', NULL),
    (3, 7, 13, '2022-06-25', NULL),
    (4, 5, 3, '2022-07-10', 2),
    (5, 4, 3, '2022-11-28', NULL),
    (6, 7, 4, '2023-05-19', 3),
    (7, 6, 6, '2022-09-16', NULL),
    (8, 10, 13, '2023-12-17', 4),
    (9, 2, 3, '2022-11-06', 3),
    (10, 12, 8, '2022-08-22', 4),
    (11, 3, 3, '2022-07-01', NULL),
    (12, 16, 7, '2023-11-26', 5),
    (13, 8, 11, '2023-05-01', 2),
    (14, 1, 10, '2022-05-09', 2),
    (15, 4, 8, '2022-03-09', 2),
    (16, 13, 9, '2023-03-07', 2),
    (17, 14, 1, '2022-06-08', NULL),
    (18, 7, 10, '2022-05-26', 5),
    (19, 1, 4, '2022-06-17', NULL),
    (20, 8, 13, '2022-08-01', 5),
    (21, 16, 4, '2022-05-27', 3),
    (22, 2, 7, '2022-08-11', 5),
    (23, 6, 6, '2023-12-25', NULL),
    (24, 7, 13, '2023-08-08', NULL),
    (25, 15, 5, '2023-02-05', NULL),
    (26, 2, 8, '2023-09-09', NULL),
    (27, 2, 4, '2022-02-10', 2),
    (28, 13, 6, '2022-11-14', NULL),
    (29, 6, 12, '2023-09-22', 5),
    (30, 5, 13, '2022-08-09', 3),
    (31, 9, 5, '2022-12-21', 4),
    (32, 4, 3, '2022-04-28', 2),
    (33, 12, 6, '2022-04-28', 2),
    (34, 16, 9, '2023-10-17', 5),
    (35, 5, 7, '2022-01-04', NULL),
    (36, 6, 7, '2022-07-19', 3);
