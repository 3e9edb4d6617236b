-- A courier service: couriers, customers and the parcels between them.

CREATE TABLE courier (
    courier_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    vehicle TEXT,
    age INTEGER,
    rating REAL,
    mobile TEXT
);

CREATE TABLE customer (
    customer_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT,
    is_business INTEGER,
    joined DATE
);

CREATE TABLE parcel (
    parcel_id INTEGER PRIMARY KEY,
    customer_id INTEGER,
    courier_id INTEGER,
    weight REAL,
    price INTEGER,
    category TEXT,
    destination TEXT,
    sent_date DATE,
    delivered_date DATE,
    FOREIGN KEY (customer_id) REFERENCES customer (customer_id),
    FOREIGN KEY (courier_id) REFERENCES courier (courier_id)
);

INSERT INTO courier VALUES
    (1, 'Tina Larsen', 'bike', 56, 3.2, '0302615 536'),
    (2, 'Finn Costa', 'car', 40, 3.2, NULL),
    (3, 'Ben Bauer', 'van', 28, 3.2, '0834899 436'),
    (4, 'Oscar Turner', 'bike', 56, 3.2, '0693740 560'),
    (5, 'Victor Schmidt', 'van', 20, 3.9, '0279824 555'),
    (6, 'Eric Young', 'bike', 41, 3.2, '0689037 297'),
    (7, 'Bella Vance', 'car', 31, 4.4, NULL),
    (8, 'Kevin Brown', 'car', 53, 4.7, '0505146 202'),
    (9, 'Zoe Moreau', 'van', 45, 3.9, '0987760 171');

INSERT INTO customer VALUES
    (1, 'Finn Murray', 'York', 1, '2022-09-20'),
    (2, 'Ivan Lopez', 'Cardiff', 0, '2022-05-04'),
    (3, 'Dora Archer', 'Turin', 0, '2018-09-24'),
    (4, 'Ben Green', 'York', 0, '2017-11-03'),
    (5, 'Julia Winter', 'Bristol', 0, '2017-09-16'),
    (6, 'Eric Hansen', 'York', 1, '2016-06-13'),
    (7, 'Zoe Winter', 'Turin', 0, '2021-07-07'),
    (8, 'David Turner', 'Oxford', 0, '2017-11-15'),
    (9, 'Noah Wood', 'Oxford', 1, '2016-07-23'),
    (10, 'Clara Hansen', 'Bristol', 1, '2020-12-18'),
    (11, 'Amir Hansen', 'Oxford', 0, '2020-09-10'),
    (12, 'Leo Dunn', 'Bristol', 0, '2017-01-28'),
    (13, 'Nadia Archer', 'York', 1, '2022-01-22'),
    (14, 'Laura Clarke', 'York', 1, '2018-11-11');

INSERT INTO parcel VALUES
    (1, 3, 2, 1, 6, 'express', 'Lisbon', '2023-06-26', '2023-06-28'),
    (2, 2, 3, 0.5, 4, 'express', 'Madrid', '2023-02-09', NULL),
    (3, 12, 1, 8, 9, 'express', 'Hamburg', '2022-03-12', '2022-03-14'),
    (4, 10, 7, 8, 4, 'standard', 'Berlin', '2022-04-11', '2022-04-13'),
    (5, 6, 4, 2, 18, 'express', 'Hamburg', '2023-05-02', '2023-05-04'),
    (6, 12, 6, 12, 25, 'fragile', 'Madrid', '2023-05-23', NULL),
    (7, 11, 1, 20, 18, 'standard', 'Berlin', '2023-11-21', '2023-11-23'),
    (8, 10, 6, 1, 18, 'express', 'Hamburg', '2022-08-11', NULL),
    (9, 1, 3, 0.5, 6, 'standard', 'Vienna', '2023-06-03', '2023-06-05'),
    (10, 1, 4, 8, 25, 'express', 'Hamburg', '2023-12-25', '2023-12-27'),
    (11, 1, 8, 3, 6, 'fragile', 'Berlin', '2022-09-09', '2022-09-11'),
    (12, 5, 8, 1, 4, 'fragile', 'Hamburg', '2022-06-14', NULL),
    (13, 12, 5, 0.5, 6, 'standard', 'Berlin', '2022-07-10', '2022-07-12'),
    (14, 8, 4, 3, 6, 'standard', 'Hamburg', '2023-04-18', NULL),
    (15, 10, 7, 1.5, 4, 'fragile', 'Berlin', '2022-11-22', NULL),
    (16, 6, 7, 20, 6, 'standard', 'Vienna', '2022-04-05', NULL),
    (17, 8, 4, 0.5, 12, 'standard', 'Berlin', '2023-12-27', '2023-12-28'),
    (18, 2, 1, 20, 12, 'fragile', 'Madrid', '2022-09-26', NULL),
    (19, 4, 7, 2, 4, 'standard', 'Madrid', '2023-03-15', '2023-03-17'),
    (20, 8, 4, 2, 6, 'express', 'Lisbon', '2023-10-08', '2023-10-10'),
    (21, 1, 4, 5, 12, 'standard', 'Lisbon', '2023-09-07', '2023-09-09'),
    (22, 12, 4, 3, 9, 'fragile', 'Lisbon', '2022-12-13', '2022-12-15'),
    (23, 9, 4, 2, 18, 'standard', 'Hamburg', '2023-05-28', '2023-05-28'),
    (24, 7, 4, 1, 9, 'fragile', 'Madrid', '2023-06-05', NULL),
    (25, 5, 7, 20, 12, 'standard', 'Lisbon', '2022-09-12', NULL),
    (26, 3, 8, 2, 25, 'express', 'Madrid', '2023-07-02', '2023-07-04'),
    (27, 1, 7, 1.5, 12, 'fragile', 'Vienna', '2023-07-09', NULL),
    (28, 1, 8, 12, 9, 'express', 'Lisbon', '2023-11-20', '2023-11-22'),
    (29, 7, 7, 1.5, 6, 'standard', 'Zurich', '2023-10-25', '2023-10-27'),
    (30, 10, 7, 0.5, 6, 'fragile', 'Berlin', '2022-06-20', '2022-06-22'),
    (31, 12, 3, 3, 4, 'standard', 'Berlin', '2022-08-01', NULL),
    (32, 11, 1, 12, 18, 'express', 'Hamburg', '2023-10-05', '2023-10-07'),
    (33, 8, 2, 8, 9, 'fragile', 'Zurich', '2023-06-03', '2023-06-05'),
    (34, 5, 5, 1, 18, 'fragile', 'Hamburg', '2023-08-08', '2023-08-10'),
    (35, 1, 6, 3, 9, 'fragile', 'Berlin', '2023-10-25', NULL),
    (36, 10, 8, 8, 12, 'standard', 'Hamburg', '2023-09-09', '2023-09-11'),
    (37, 4, 8, 3, 12, 'fragile', 'Madrid', '2022-08-01', '2022-08-03'),
    (38, 11, 1, 12, 25, 'standard', 'Madrid', '2023-01-17', '2023-01-19'),
    (39, 7, 1, 12, 12, 'standard', 'Zurich', '2022-03-05', '2022-03-07'),
    (40, 4, 8, 12, 25, 'express', 'Hamburg', '2023-09-17', NULL),
    (41, 10, 2, 12, 18, 'fragile', 'Hamburg', '2022-11-21', '2022-11-23'),
    (42, 10, 6, 5, 9, 'fragile', 'Vienna', '2022-01-18', NULL),
    (43, 4, 1, 1.5, 9, 'express', 'Hamburg', '2023-10-10', '2023-10-12'),
    (44, 2, 4, 20, 9, 'standard', 'Zurich', '2023-05-13', '2023-05-15'),
    (45, 12, 4, 2, 18, 'express', 'Lisbon', '2022-11-21', NULL),
    (46, 4, 8, 3, 12, 'fragile', 'Vienna', '2023-11-02', NULL),
    (47, 8, 1, 1, 6, 'express', 'Berlin', '2022-01-17', '2022-01-19'),
    (48, 5, 2, 12, 9, 'standard', 'Zurich', '2022-06-02', '2022-06-04');
