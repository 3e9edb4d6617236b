-- A zoo: keepers, enclosures, the animals in them and what they are fed.

CREATE TABLE keeper (
    keeper_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    age INTEGER,
    salary INTEGER,
    phone TEXT
);

CREATE TABLE enclosure (
    enclosure_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    habitat TEXT,
    area INTEGER,
    built_year INTEGER
);

CREATE TABLE animal (
    animal_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    species TEXT,
    sex TEXT,
    weight INTEGER,
    birth_date DATE,
    enclosure_id INTEGER,
    keeper_id INTEGER,
    FOREIGN KEY (enclosure_id) REFERENCES enclosure (enclosure_id),
    FOREIGN KEY (keeper_id) REFERENCES keeper (keeper_id)
);

CREATE TABLE feeding (
    feeding_id INTEGER PRIMARY KEY,
    animal_id INTEGER,
    food TEXT,
    amount INTEGER,
    feeding_date DATE,
    FOREIGN KEY (animal_id) REFERENCES animal (animal_id)
);

INSERT INTO keeper VALUES
    (1, 'Fiona Bishop', 56, 25000, NULL),
    (2, 'Marco Winter', 55, 26000, '0271584 294'),
    (3, 'George Hansen', 42, 38000, NULL),
    (4, 'Walter Moreau', 27, 38500, NULL),
    (5, 'Julia Turner', 54, 33000, '0232150 676'),
    (6, 'Oscar Singh', 46, 26000, '0221008 318'),
    (7, 'Maria Becker', 47, 37000, '0294252 897'),
    (8, 'Leo Green', 43, 24000, NULL);

INSERT INTO enclosure VALUES
    (1, 'Savanna Plain', 'grassland', 5200, 1999),
    (2, 'Monkey Hill', 'forest', 1400, 2018),
    (3, 'Night House', 'cave', 320, 1999),
    (4, 'Penguin Cove', 'water', 900, 1975),
    (5, 'Aviary', 'forest', 750, 2011),
    (6, 'Reptile Hall', 'desert', 410, 2004),
    (7, 'Seal Bay', 'water', 1600, 1975),
    (8, 'Old Stables', 'grassland', 650, 1999);

INSERT INTO animal VALUES
    (1, 'Kito', 'seal', 'male', 96, NULL, 7, 1),
    (2, 'Zuri', 'zebra', 'female', 275, '2006-03-07', 1, 2),
    (3, 'Bongo', 'penguin', 'female', 26, '2009-10-16', 4, 2),
    (4, 'Pepper', 'seal', 'male', 129, '2020-10-03', 7, 7),
    (5, 'Storm', 'lizard', 'female', 35, '2010-12-03', 6, 1),
    (6, 'Nala', 'bat', 'female', 2, '2012-01-02', 3, 5),
    (7, 'Tembo', 'seal', 'male', 155, '2006-01-16', 7, 7),
    (8, 'Luisa', 'giraffe', 'female', 979, '2016-12-02', 1, 6),
    (9, 'Coco', 'lizard', 'male', 41, NULL, 6, 5),
    (10, 'Ziggy', 'lizard', 'female', 31, '2007-09-25', 6, 7),
    (11, 'Odin', 'bat', 'male', 2, '2014-03-22', 3, 6),
    (12, 'Freya', 'chimpanzee', 'female', 60, '2011-04-13', 2, 7),
    (13, 'Pip', 'bat', 'male', 1, '2019-08-09', 3, 3),
    (14, 'Waddle', 'lion', 'female', 207, '2006-11-23', 1, 6),
    (15, 'Salty', 'chimpanzee', 'male', 60, '2006-11-04', 2, 3),
    (16, 'Otto', 'lion', 'female', 198, '2006-03-08', 1, 5),
    (17, 'Mira', 'chimpanzee', 'male', 48, '2017-03-15', 2, 3),
    (18, 'Tango', 'penguin', 'male', 15, '2008-04-08', 4, 2),
    (19, 'Rani', 'giraffe', 'male', 925, '2015-09-14', 1, 5),
    (20, 'Sunny', 'zebra', 'female', 288, '2021-12-17', 1, 5),
    (21, 'Hector', 'zebra', 'female', 329, '2017-10-07', 1, 4),
    (22, 'Ginger', 'lion', 'male', 196, '2017-09-26', 1, 4),
    (23, 'Amber', 'chimpanzee', 'female', 50, '2009-06-14', 2, 1),
    (24, 'Jet', 'zebra', 'male', 253, '2014-06-24', 1, 6);

INSERT INTO feeding VALUES
    (1, 4, 'fish', 2, '2022-03-24'),
    (2, 2, 'insects', 8, '2023-03-07'),
    (3, 8, 'meat', 8, '2022-02-17'),
    (4, 7, 'meat', 5, '2022-12-06'),
    (5, 16, 'meat', 3, '2023-07-17'),
    (6, 11, 'insects', 8, '2022-07-16'),
    (7, 2, 'meat', 5, '2023-05-25'),
    (8, 16, 'insects', 20, '2022-05-24'),
    (9, 2, 'fish', 1, '2022-09-09'),
    (10, 15, 'insects', 3, '2023-09-25'),
    (11, 2, 'hay', 12, '2023-06-04'),
    (12, 8, 'meat', 20, '2022-03-03'),
    (13, 13, 'meat', 12, '2022-08-25'),
    (14, 8, 'fish', 20, '2022-07-14'),
    (15, 5, 'hay', 2, '2022-10-23'),
    (16, 16, 'insects', 20, '2023-01-22'),
    (17, 19, 'meat', 20, '2022-02-12'),
    (18, 2, 'hay', 5, '2022-06-03'),
    (19, 6, 'hay', 20, '2023-09-22'),
    (20, 21, 'fruit', 5, '2022-06-27'),
    (21, 11, 'hay', 20, '2022-10-23'),
    (22, 20, 'hay', 3, '2023-02-15'),
    (23, 1, 'meat', 20, '2022-05-25'),
    (24, 14, 'fruit', 3, '2023-10-23'),
    (25, 16, 'insects', 1, '2022-02-28'),
    (26, 3, 'meat', 1, '2023-01-10'),
    (27, 6, 'hay', 5, '2022-03-21'),
    (28, 4, 'meat', 12, '2022-09-22'),
    (29, 12, 'meat', 3, '2022-04-06'),
    (30, 11, 'insects', 2, '2022-02-20'),
    (31, 16, 'fish', 1, '2022-03-19'),
    (32, 10, 'meat', 12, '2022-03-16'),
    (33, 11, 'fish', 2, '2023-05-11'),
    (34, 10, 'fruit', 2, '2023-05-16'),
    (35, 16, 'fish', 1, '2023-07-15'),
    (36, 4, 'hay', 8, '2023-07-05'),
    (37, 15, 'fish', 20, '2023-02-13'),
    (38, 3, 'fish', 5, '2023-01-13'),
    (39, 11, 'fruit', 1, '2023-02-27'),
    (40, 3, 'insects', 20, '2023-05-12');
