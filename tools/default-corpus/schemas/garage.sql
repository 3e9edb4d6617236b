-- A garage: drivers, their cars, mechanics and the jobs they did.

CREATE TABLE driver (
    driver_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT,
    phone TEXT,
    age INTEGER
);

CREATE TABLE car (
    car_id INTEGER PRIMARY KEY,
    plate TEXT NOT NULL,
    make TEXT,
    model TEXT,
    colour TEXT,
    year INTEGER,
    mileage INTEGER,
    driver_id INTEGER,
    FOREIGN KEY (driver_id) REFERENCES driver (driver_id)
);

CREATE TABLE mechanic (
    mechanic_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    specialty TEXT,
    years_experience INTEGER,
    hourly_rate INTEGER
);

CREATE TABLE job (
    job_id INTEGER PRIMARY KEY,
    car_id INTEGER,
    mechanic_id INTEGER,
    job_date DATE,
    kind TEXT,
    cost INTEGER,
    is_paid INTEGER,
    FOREIGN KEY (car_id) REFERENCES car (car_id),
    FOREIGN KEY (mechanic_id) REFERENCES mechanic (mechanic_id)
);

INSERT INTO driver VALUES
    (1, 'Amir Singh', 'Turin', '0301101 635', 42),
    (2, 'Helen Doyle', 'Lisbon', '0823531 416', 38),
    (3, 'Vera Becker', 'Turin', '0788431 167', 29),
    (4, 'Tina Singh', 'York', '0811214 555', 72),
    (5, 'Dora Brown', 'Ghent', '0218783 815', 69),
    (6, 'Olga Young', 'Madrid', '0782280 611', 60),
    (7, 'Fiona Marsh', 'Madrid', '0384805 515', 76),
    (8, 'Anna Brown', 'Turin', '0249834 144', 61),
    (9, 'Sofia Becker', 'York', '0716232 588', 51),
    (10, 'Ruth Brown', 'York', '0294732 427', 25),
    (11, 'Peter Vance', 'York', '0319875 224', 34),
    (12, 'Ravi Vance', 'Madrid', '0701763 963', 26),
    (13, 'Oscar Lopez', 'York', '0267433 256', 76),
    (14, 'Tom Young', 'York', '0524926 282', 56);

INSERT INTO car VALUES
    (1, 'BZ 350', 'Volta', 'Spark', 'red', 2008, 76000, 4),
    (2, 'AY 218', 'Norden', 'Cross', 'white', 2008, 110000, 3),
    (3, 'AX 869', 'Kasai', 'Rally', 'white', 2011, 144000, 9),
    (4, 'MX 202', 'Kasai', 'Sedan', 'black', 2016, 80000, 3),
    (5, 'BZ 907', 'Brenner', 'Gran', 'silver', 2004, 165000, 3),
    (6, 'BX 290', 'Volta', 'Spark', 'blue', 2015, 60000, 7),
    (7, 'LY 225', 'Norden', 'Cross', 'silver', 2010, 98000, 1),
    (8, 'KX 767', 'Norden', 'Estate', 'white', 2011, 90000, 8),
    (9, 'AX 220', 'Norden', 'Estate', 'blue', 2014, 163000, 5),
    (10, 'LZ 423', 'Kasai', 'Micro', 'black', 2016, 86000, 1),
    (11, 'BX 917', 'Volta', 'Ion', 'blue', 2022, 65000, 8),
    (12, 'BZ 636', 'Brenner', 'Pass', 'silver', 2006, 79000, 3),
    (13, 'MY 484', 'Norden', 'Estate', 'silver', 2010, 86000, 10),
    (14, 'LY 812', 'Kasai', 'Rally', 'white', 2010, 93000, 3),
    (15, 'KX 469', 'Brenner', 'Gran', 'red', 2019, 41000, 12),
    (16, 'BX 318', 'Norden', 'Estate', 'red', 2022, 32000, 6),
    (17, 'KY 947', 'Brenner', 'Gran', 'red', 2011, 28000, 4),
    (18, 'LZ 413', 'Kasai', 'Micro', 'silver', 2007, 56000, 2),
    (19, 'MX 309', 'Norden', 'Estate', 'white', 2013, 16000, 2),
    (20, 'BX 134', 'Volta', 'Ion', 'white', 2015, 86000, 9);

INSERT INTO mechanic VALUES
    (1, 'Victor Abbot', 'bodywork', 13, 52),
    (2, 'Amir Stone', 'electrics', 5, 52),
    (3, 'Ruth Clarke', 'brakes', 14, 60),
    (4, 'Dora Hansen', 'bodywork', 19, 42),
    (5, 'Finn Lopez', 'brakes', 14, 60),
    (6, 'Zoe Rossi', 'engines', 25, 60);

INSERT INTO job VALUES
    (1, 7, 4, '2021-07-15', 'inspection', 390, 1),
    (2, 6, 5, '2022-10-07', 'oil change', 390, 1),
    (3, 16, 4, '2022-03-16', 'repaint', 390, 1),
    (4, 3, 4, '2023-08-12', 'new tyres', 180, 0),
    (5, 3, 1, '2023-02-12', 'repaint', 390, 1),
    (6, 2, 5, '2021-08-13', 'oil change', 880, 1),
    (7, 11, 4, '2023-10-08', 'brake repair', 880, 1),
    (8, 1, 2, '2023-06-06', 'brake repair', 880, 0),
    (9, 2, 4, '2022-03-19', 'new tyres', 180, 0),
    (10, 3, 3, '2023-05-19', 'repaint', 180, 0),
    (11, 13, 3, '2022-07-12', 'new tyres', 120, 1),
    (12, 6, 3, '2022-05-01', 'repaint', 120, 1),
    (13, 6, 4, '2021-04-10', 'repaint', 390, 1),
    (14, 10, 2, '2023-08-08', 'repaint', 85, 0),
    (15, 11, 5, '2022-09-25', 'brake repair', 85, 1),
    (16, 6, 2, '2022-08-28', 'repaint', 520, 1),
    (17, 9, 4, '2021-02-13', 'new tyres', 520, 1),
    (18, 2, 2, '2022-01-28', 'new tyres', 880, 1),
    (19, 3, 4, '2021-08-27', 'oil change', 880, 0),
    (20, 4, 3, '2023-10-03', 'repaint', 240, 0),
    (21, 11, 1, '2023-05-08', 'brake repair', 240, 0),
    (22, 17, 1, '2021-02-13', 'oil change', 520, 1),
    (23, 12, 3, '2023-05-19', 'inspection', 60, 1),
    (24, 9, 3, '2023-06-14', 'new tyres', 180, 1),
    (25, 10, 2, '2022-08-17', 'repaint', 390, 1),
    (26, 9, 2, '2023-09-13', 'brake repair', 60, 1),
    (27, 17, 1, '2022-11-18', 'oil change', 880, 1),
    (28, 15, 5, '2021-06-07', 'repaint', 60, 0),
    (29, 16, 1, '2022-01-26', 'inspection', 880, 0),
    (30, 3, 2, '2021-01-27', 'inspection', 390, 0),
    (31, 15, 5, '2022-11-26', 'inspection', 520, 1),
    (32, 9, 4, '2022-08-03', 'inspection', 520, 0),
    (33, 6, 3, '2023-07-02', 'repaint', 880, 1),
    (34, 10, 1, '2023-10-04', 'oil change', 120, 0),
    (35, 10, 2, '2023-12-19', 'repaint', 85, 0),
    (36, 15, 2, '2022-11-19', 'new tyres', 520, 1),
    (37, 5, 5, '2021-09-01', 'new tyres', 520, 1),
    (38, 1, 2, '2022-12-04', 'brake repair', 180, 1),
    (39, 10, 5, '2021-02-09', 'brake repair', 120, 1),
    (40, 5, 5, '2021-01-15', 'oil change', 240, 0),
    (41, 12, 5, '2021-04-06', 'oil change', 120, 1),
    (42, 12, 4, '2023-02-22', 'oil change', 180, 1),
    (43, 6, 1, '2022-03-18', 'inspection', 390, 1),
    (44, 17, 1, '2021-10-03', 'new tyres', 85, 0);
