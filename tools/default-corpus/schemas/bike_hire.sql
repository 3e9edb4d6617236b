-- Bicycles for hire: stations, bikes, riders, their trips and the repairs.

CREATE TABLE station (
    station_id INTEGER PRIMARY KEY,
    station_name TEXT NOT NULL,
    district TEXT,
    num_docks INTEGER
);

CREATE TABLE bike (
    bike_id INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    type TEXT,
    station_id INTEGER,
    purchase_year INTEGER,
    condition TEXT,
    weight REAL,
    FOREIGN KEY (station_id) REFERENCES station (station_id)
);

CREATE TABLE rider (
    rider_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    age INTEGER,
    membership TEXT,
    district TEXT
);

CREATE TABLE trip (
    trip_id INTEGER PRIMARY KEY,
    bike_id INTEGER,
    rider_id INTEGER,
    start_station_id INTEGER,
    end_station_id INTEGER,
    trip_date DATE,
    duration INTEGER,
    distance REAL,
    cost REAL,
    FOREIGN KEY (bike_id) REFERENCES bike (bike_id),
    FOREIGN KEY (rider_id) REFERENCES rider (rider_id),
    FOREIGN KEY (start_station_id) REFERENCES station (station_id),
    FOREIGN KEY (end_station_id) REFERENCES station (station_id)
);

CREATE TABLE repair (
    repair_id INTEGER PRIMARY KEY,
    bike_id INTEGER,
    fault TEXT,
    cost REAL,
    repair_date DATE,
    FOREIGN KEY (bike_id) REFERENCES bike (bike_id)
);

INSERT INTO station VALUES
    (1, 'Market Square', 'Old Town', 24),
    (2, 'University Gate', 'Northside', 30),
    (3, 'Canal Basin', 'Docklands', 16),
    (4, 'Museum Steps', 'Old Town', 12),
    (5, 'Tech Park', 'Eastfield', 20),
    (6, 'Central Station', 'Old Town', 40),
    (7, 'Botanic Garden', 'Northside', 10),
    (8, 'Ferry Terminal', 'Docklands', 18);

INSERT INTO bike VALUES
    (100, 'Cruiser', 'city', 2, 2022, 'good', 14.1),
    (101, 'Citylite', 'city', 6, 2017, 'fair', 16.5),
    (102, 'Swift 3', 'city', 6, 2019, 'good', 14.1),
    (103, 'Volt One', 'electric', 5, 2017, 'good', 23.4),
    (104, 'Volt Two', 'electric', 5, 2016, 'good', 24.5),
    (105, 'Trailhead', 'mountain', 7, 2016, 'broken', 12.7),
    (106, 'Swift 5', 'city', 1, 2018, 'fair', 16.1),
    (107, 'Swift 5', 'city', 6, 2017, 'fair', 16.5),
    (108, 'Citylite', 'city', 7, 2018, 'good', 16.5),
    (109, 'Volt Two', 'electric', 7, 2019, 'fair', 23.4),
    (110, 'Volt Two', 'electric', 1, 2016, 'good', 25.4),
    (111, 'Trailhead', 'mountain', 6, 2022, 'fair', 14.7),
    (112, 'Volt Two', 'electric', 6, 2021, 'fair', 24.5),
    (113, 'Citylite', 'city', 2, 2019, 'good', 16.5),
    (114, 'Cruiser', 'city', 6, 2023, 'fair', 16.1),
    (115, 'Cruiser', 'city', 6, 2017, 'good', 16.5),
    (116, 'Volt One', 'electric', 2, 2021, 'good', 25.4),
    (117, 'Volt One', 'electric', 1, 2017, 'fair', 24.9),
    (118, 'Trailhead', 'mountain', 4, 2023, 'broken', 12.7),
    (119, 'Citylite', 'city', 1, 2020, 'broken', 14.1);

INSERT INTO rider VALUES
    (1, 'Ada Finch', 26, 'student', 'Northside'),
    (2, 'Boris Hahn', 48, 'annual', 'Old Town'),
    (3, 'Cleo Marin', 33, 'annual', 'Docklands'),
    (4, 'Dina Saleh', 21, 'student', 'Northside'),
    (5, 'Erik Voss', 57, 'casual', 'Eastfield'),
    (6, 'Flora Dent', 39, 'annual', 'Old Town'),
    (7, 'Gus Parry', 29, 'casual', 'Docklands'),
    (8, 'Hilda Jonas', 63, 'annual', 'Riverside'),
    (9, 'Igor Melnik', 19, 'student', 'Northside'),
    (10, 'Jade Owens', 35, 'casual', 'Old Town'),
    (11, 'Kai Lindqvist', 44, 'annual', 'Riverside');

INSERT INTO trip VALUES
    (1, 117, 6, 6, 5, '2023-09-13', 15, 0.8, 2.8),
    (2, 112, 3, 2, 1, '2023-07-02', 24, 4.4, 3.88),
    (3, 103, 6, 3, 6, '2023-07-28', 25, 2.9, 4.0),
    (4, 104, 4, 6, 5, '2023-05-27', 40, 7.3, 5.8),
    (5, 107, 6, 6, 6, '2023-09-13', 48, 5.8, 6.76),
    (6, 101, 1, 2, 3, '2023-09-08', 20, 2.9, 3.4),
    (7, 117, 1, 4, 5, '2023-04-05', 21, 0.8, 3.52),
    (8, 108, 6, 6, 2, '2023-09-28', 48, 5.8, 6.76),
    (9, 112, 10, 8, 6, '2023-07-13', 48, 9.1, 6.76),
    (10, 113, 6, 6, 1, '2023-05-03', 34, 5.8, 5.08),
    (11, 104, 1, 6, 1, '2023-04-01', 30, 2.9, 4.6),
    (12, 102, 3, 1, 1, '2023-10-07', 29, 2.1, 4.48),
    (13, 107, 3, 6, 8, '2023-04-04', 35, 5.8, 5.2),
    (14, 113, 4, 4, 1, '2023-05-04', 52, 7.3, 7.24),
    (15, 113, 9, 2, 1, '2023-05-17', 32, 4.4, 4.84),
    (16, 116, 10, 1, 5, '2023-09-28', 28, 4.4, 4.36),
    (17, 114, 3, 2, 6, '2023-10-08', 17, 1.5, 3.04),
    (18, 114, 3, 3, 3, '2023-10-08', 64, 9.1, 8.68),
    (19, 105, 5, 6, 6, '2023-09-01', 38, 5.8, 5.56),
    (20, 113, 2, 3, 6, '2023-07-26', 14, 0.8, 2.68),
    (21, 101, 2, 2, 3, '2023-07-07', 35, 4.4, 5.2),
    (22, 113, 6, 1, 8, '2023-09-12', 30, 4.4, 4.6),
    (23, 109, 7, 3, 8, '2023-05-14', 12, 1.5, 2.44),
    (24, 109, 4, 6, 1, '2023-09-06', 26, 4.4, 4.12),
    (25, 100, 1, 6, 2, '2023-08-27', 16, 2.1, 2.92),
    (26, 103, 5, 8, 2, '2023-04-01', 49, 7.3, 6.88),
    (27, 103, 4, 3, 3, '2023-04-09', 25, 1.5, 4.0),
    (28, 114, 2, 6, 5, '2023-08-14', 25, 2.9, 4.0),
    (29, 108, 10, 6, 6, '2023-10-17', 13, 2.1, 2.56),
    (30, 103, 5, 8, 1, '2023-10-15', 29, 2.1, 4.48),
    (31, 103, 1, 2, 8, '2023-08-24', 12, 2.1, 2.44),
    (32, 100, 3, 8, 8, '2023-10-25', 26, 1.5, 4.12),
    (33, 100, 2, 3, 5, '2023-04-25', 26, 1.5, 4.12),
    (34, 112, 5, 1, 1, '2023-07-11', 25, 1.5, 4.0),
    (35, 105, 6, 4, 8, '2023-08-18', 63, 9.1, 8.56),
    (36, 106, 6, 8, 5, '2023-08-07', 54, 7.3, 7.48);

INSERT INTO repair VALUES
    (1, 109, 'brake', 22.0, '2023-02-13'),
    (2, 109, 'chain', 8.0, '2023-11-08'),
    (3, 108, 'flat tyre', 12.5, '2023-11-10'),
    (4, 118, 'flat tyre', 140.0, '2023-03-23'),
    (5, 115, 'brake', 15.0, '2023-03-09'),
    (6, 101, 'battery', 12.5, '2023-12-04'),
    (7, 108, 'battery', 12.5, '2023-11-27'),
    (8, 103, 'brake', 60.0, '2023-07-17'),
    (9, 108, 'chain', 22.0, '2023-04-12'),
    (10, 105, 'flat tyre', 60.0, '2023-06-01'),
    (11, 105, 'wheel', 22.0, '2023-08-23'),
    (12, 100, 'battery', 15.0, '2023-09-20'),
    (13, 105, 'wheel', 8.0, '2023-02-26'),
    (14, 103, 'flat tyre', 8.0, '2023-05-09'),
    (15, 100, 'brake', 15.0, '2023-03-27'),
    (16, 108, 'brake', 140.0, '2023-05-13'),
    (17, 101, 'wheel', 35.5, '2023-10-16'),
    (18, 115, 'chain', 8.0, '2023-05-02');
