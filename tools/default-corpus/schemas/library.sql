-- A town library: who wrote the books, where they stand, who borrows them.

CREATE TABLE author (
    author_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    nationality TEXT,
    birth_year INTEGER
);

CREATE TABLE branch (
    branch_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT,
    num_staff INTEGER,
    opening_year INTEGER
);

CREATE TABLE book (
    book_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    author_id INTEGER REFERENCES author (author_id),
    branch_id INTEGER REFERENCES branch (branch_id),
    genre TEXT,
    pages INTEGER,
    publication_year INTEGER
);

CREATE TABLE member (
    member_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    age INTEGER,
    city TEXT,
    join_date DATE
);

CREATE TABLE loan (
    loan_id INTEGER PRIMARY KEY,
    book_id INTEGER REFERENCES book (book_id),
    member_id INTEGER REFERENCES member (member_id),
    loan_date DATE,
    return_date DATE,
    fine REAL
);

INSERT INTO author VALUES
    (1, 'Nora Hale', 'Irish', 1961),
    (2, 'Tomas Lind', 'Swedish', 1948),
    (3, 'Grace Okafor', 'Nigerian', 1975),
    (4, 'Peter Marsh', 'British', 1939),
    (5, 'Ines Duarte', 'Portuguese', 1968),
    (6, 'Yuki Tanaka', 'Japanese', 1980),
    (7, 'Colm Byrne', 'Irish', 1985),
    (8, 'Helen Ward', 'British', 1957),
    (9, 'Ravi Menon', 'Indian', 1971),
    (10, 'Sofia Berg', 'Swedish', 1990);

INSERT INTO branch VALUES
    (1, 'Central Library', 'Leeds', 24, 1884),
    (2, 'Riverside', 'York', 9, 1972),
    (3, 'Harbour Street', 'Hull', 12, 1931),
    (4, 'Northfield', 'Leeds', 6, 2004),
    (5, 'Abbey Road', 'Durham', 8, 1998),
    (6, 'Station Corner', 'York', 5, 2011);

INSERT INTO book VALUES
    (1, 'The Silent Harbour', 2, 1, 'crime', 312, 1981),
    (2, 'Winter Letters', 1, 5, 'romance', 248, 2013),
    (3, 'A Map of Rain', 5, 5, 'poetry', 96, 2006),
    (4, 'The Clockmakers Debt', 4, 2, 'crime', 401, 1971),
    (5, 'Salt and Iron', 5, 1, 'history', 520, 2022),
    (6, 'Under the Baobab', 9, 4, 'fiction', 287, 1992),
    (7, 'The Last Ferry', 6, 1, 'fiction', 198, 2009),
    (8, 'Stars Beyond Kepler', 5, 3, 'science fiction', 433, 2011),
    (9, 'Murder at Low Tide', 8, 2, 'crime', 276, 2002),
    (10, 'The Paper Garden', 1, 3, 'romance', 310, 1966),
    (11, 'Kings of the North', 1, 1, 'history', 612, 2006),
    (12, 'Seven Small Boats', 6, 1, 'fiction', 174, 2021),
    (13, 'The Glass Orchard', 4, 2, 'fantasy', 489, 1992),
    (14, 'Dragons of Emberfall', 8, 1, 'fantasy', 702, 1998),
    (15, 'A Quiet Verdict', 2, 5, 'crime', 355, 1996),
    (16, 'Monsoon Songs', 6, 2, 'poetry', 120, 1987),
    (17, 'The Long Orbit', 2, 2, 'science fiction', 390, 2013),
    (18, 'Bread and Rivers', 5, 3, 'history', 344, 1966),
    (19, 'The Lighthouse Thief', 4, 5, 'crime', 265, 2006),
    (20, 'Letters to Lisbon', 1, 1, 'romance', 221, 2005),
    (21, 'The Hollow Crown', 8, 3, 'fantasy', 558, 1972),
    (22, 'Night Trains', 8, 3, 'poetry', 88, 2022),
    (23, 'Signal Lost', 8, 5, 'science fiction', 301, 1992),
    (24, 'The Winter Court', 6, 2, 'fantasy', 476, 1984),
    (25, 'Ash and Honey', 3, 5, 'fiction', 243, 2019),
    (26, 'The Second Witness', 6, 4, 'crime', 329, 2002);

INSERT INTO member VALUES
    (1, 'Alice Moore', 34, 'Leeds', '2019-03-14'),
    (2, 'Ben Carter', 19, 'York', '2022-09-01'),
    (3, 'Carla Diaz', 52, 'Leeds', '2011-06-23'),
    (4, 'Daniel Frost', 67, 'Hull', '2005-01-30'),
    (5, 'Emma Clarke', 28, 'Durham', '2020-11-05'),
    (6, 'Farid Aziz', 41, 'Leeds', '2016-04-18'),
    (7, 'Gina Rossi', 23, 'York', '2021-02-27'),
    (8, 'Harry Stone', 75, 'Hull', '1999-08-12'),
    (9, 'Irene Walsh', 38, 'Selby', '2018-07-19'),
    (10, 'Jack Turner', 16, 'Leeds', '2023-01-09'),
    (11, 'Kate Bell', 45, 'Durham', '2014-10-02'),
    (12, 'Liam Price', 31, 'Selby', '2017-05-25'),
    (13, 'Maya Singh', 26, 'York', '2020-03-03'),
    (14, 'Noah Reed', 59, 'Hull', '2008-12-11');

INSERT INTO loan VALUES
    (1, 13, 1, '2023-08-08', '2023-09-08', 0.5),
    (2, 25, 3, '2023-06-18', '2023-07-18', 2.4),
    (3, 4, 6, '2023-02-15', '2023-03-15', 3.0),
    (4, 17, 3, '2023-09-27', '2023-10-27', 2.4),
    (5, 22, 1, '2023-08-02', '2023-09-02', 1.2),
    (6, 1, 7, '2023-03-06', '2023-04-06', 3.0),
    (7, 13, 4, '2023-09-28', '2023-10-28', 1.2),
    (8, 25, 6, '2023-06-15', '2023-07-15', 1.2),
    (9, 19, 1, '2023-07-26', '2023-08-26', 3.0),
    (10, 14, 3, '2023-09-25', '2023-10-25', 0),
    (11, 19, 11, '2023-06-19', '2023-07-19', 0.5),
    (12, 20, 11, '2023-06-14', '2023-07-14', 1.2),
    (13, 8, 6, '2023-08-20', NULL, 2.4),
    (14, 3, 3, '2023-09-19', NULL, 3.0),
    (15, 25, 12, '2023-05-02', '2023-06-02', 0),
    (16, 9, 1, '2023-01-15', NULL, 0),
    (17, 12, 5, '2023-02-26', '2023-03-26', 0),
    (18, 6, 1, '2023-03-06', NULL, 2.4),
    (19, 17, 5, '2023-05-15', '2023-06-15', 0.5),
    (20, 14, 2, '2023-01-10', '2023-02-10', 3.0),
    (21, 19, 4, '2023-05-04', NULL, 0),
    (22, 5, 9, '2023-01-08', NULL, 0),
    (23, 14, 3, '2023-08-23', '2023-09-23', 1.2),
    (24, 23, 5, '2023-09-15', NULL, 0),
    (25, 2, 7, '2023-06-22', '2023-07-22', 2.4),
    (26, 10, 6, '2023-03-07', '2023-04-07', 0),
    (27, 14, 1, '2023-05-10', '2023-06-10', 1.2),
    (28, 2, 5, '2023-03-01', '2023-04-01', 1.2),
    (29, 26, 4, '2023-08-06', '2023-09-06', 1.2),
    (30, 4, 12, '2023-01-13', NULL, 0),
    (31, 25, 9, '2023-04-16', NULL, 0.5),
    (32, 22, 6, '2023-09-16', NULL, 3.0),
    (33, 11, 7, '2023-05-01', NULL, 3.0),
    (34, 25, 3, '2023-06-14', NULL, 0),
    (35, 25, 7, '2023-09-12', '2023-10-12', 1.2),
    (36, 2, 11, '2023-09-08', NULL, 0);
