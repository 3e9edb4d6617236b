-- Cinemas of a region: the movies they screen and the seats people book.

CREATE TABLE cinema (
    cinema_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT,
    opening_year INTEGER,
    capacity INTEGER
);

CREATE TABLE movie (
    movie_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    genre TEXT,
    director TEXT,
    release_year INTEGER,
    running_time INTEGER,
    rating REAL
);

CREATE TABLE screening (
    screening_id INTEGER PRIMARY KEY,
    movie_id INTEGER REFERENCES movie (movie_id),
    cinema_id INTEGER REFERENCES cinema (cinema_id),
    screening_date DATE,
    ticket_price REAL
);

CREATE TABLE booking (
    booking_id INTEGER PRIMARY KEY,
    screening_id INTEGER REFERENCES screening (screening_id),
    customer_name TEXT,
    num_seats INTEGER
);

INSERT INTO cinema VALUES
    (1, 'Odeon Palace', 'Manchester', 1934, 820),
    (2, 'The Scala', 'Liverpool', 1928, 410),
    (3, 'Cineworld Docks', 'Liverpool', 2006, 1350),
    (4, 'Rex', 'Chester', 1951, 260),
    (5, 'Lumiere', 'Manchester', 1989, 540),
    (6, 'Parkway', 'Bolton', 1998, 700),
    (7, 'Little Theatre', 'Chester', 1962, 120);

INSERT INTO movie VALUES
    (1, 'Falling Upwards', 'comedy', 'Lena Fox', 2019, 98, 7.1),
    (2, 'Cold Signal', 'thriller', 'Marcus Hale', 2021, 124, 7.8),
    (3, 'The Orchard', 'drama', 'Ana Ribeiro', 2015, 131, 8.2),
    (4, 'Robot Summer', 'animation', 'Kenji Mori', 2022, 89, 7.4),
    (5, 'Deep Current', 'thriller', 'Marcus Hale', 2017, 117, 6.5),
    (6, 'Two Left Feet', 'comedy', 'Lena Fox', 2023, 102, 5.9),
    (7, 'Marble Kings', 'drama', 'Oliver Stead', 2012, 148, 7.9),
    (8, 'Night Bus', 'horror', 'Ines Vidal', 2020, 94, 6.1),
    (9, 'The Attic Door', 'horror', 'Ines Vidal', 2023, 101, 5.4),
    (10, 'Paper Planets', 'animation', 'Kenji Mori', 2018, 92, 8.4),
    (11, 'Last Orders', 'comedy', 'Tom Barker', 2016, 109, 6.8),
    (12, 'Silk Road', 'documentary', 'Ana Ribeiro', 2019, 84, 7.6),
    (13, 'Iron Valley', 'action', 'Oliver Stead', 2021, 139, 6.9),
    (14, 'Red Horizon', 'action', 'Marcus Hale', 2022, 127, 7.2),
    (15, 'A Year of Bees', 'documentary', 'Freya Lund', 2020, 78, 8.0),
    (16, 'Whisper Lake', 'drama', 'Freya Lund', 2023, 112, 7.0);

INSERT INTO screening VALUES
    (1, 4, 5, '2024-05-05', 7.5),
    (2, 14, 4, '2024-06-19', 5.5),
    (3, 14, 1, '2024-04-09', 9.5),
    (4, 4, 3, '2024-06-16', 9.5),
    (5, 13, 4, '2024-04-21', 12.5),
    (6, 2, 3, '2024-06-05', 12.5),
    (7, 12, 3, '2024-06-01', 11.0),
    (8, 2, 2, '2024-05-02', 7.5),
    (9, 1, 3, '2024-04-20', 11.0),
    (10, 9, 3, '2024-04-24', 12.5),
    (11, 14, 4, '2024-02-12', 5.5),
    (12, 1, 2, '2024-04-07', 7.5),
    (13, 10, 6, '2024-03-14', 9.5),
    (14, 9, 5, '2024-03-18', 9.5),
    (15, 10, 5, '2024-02-11', 11.0),
    (16, 1, 3, '2024-05-22', 11.0),
    (17, 3, 3, '2024-05-19', 9.5),
    (18, 2, 6, '2024-02-21', 12.5),
    (19, 14, 3, '2024-03-04', 5.5),
    (20, 10, 6, '2024-04-03', 7.5),
    (21, 2, 3, '2024-02-01', 7.5),
    (22, 10, 3, '2024-01-02', 9.5),
    (23, 14, 1, '2024-04-23', 9.5),
    (24, 7, 5, '2024-03-17', 6.0),
    (25, 1, 3, '2024-01-03', 5.5),
    (26, 14, 5, '2024-01-07', 8.0),
    (27, 6, 5, '2024-03-05', 11.0),
    (28, 1, 3, '2024-03-12', 6.0),
    (29, 9, 3, '2024-04-28', 9.5),
    (30, 9, 6, '2024-05-22', 9.5),
    (31, 2, 5, '2024-05-09', 8.0),
    (32, 15, 3, '2024-03-14', 7.5);

INSERT INTO booking VALUES
    (1, 21, 'Ellen Gray', 5),
    (2, 13, 'Amy Lowe', 7),
    (3, 17, 'Frank Moss', 1),
    (4, 16, 'Cathy Orr', 1),
    (5, 26, 'Frank Moss', 4),
    (6, 14, 'Frank Moss', 5),
    (7, 28, 'Ellen Gray', 6),
    (8, 19, 'Amy Lowe', 5),
    (9, 2, 'Amy Lowe', 3),
    (10, 11, 'Hugo Blanc', 3),
    (11, 23, 'Frank Moss', 2),
    (12, 14, 'Cathy Orr', 3),
    (13, 31, 'Frank Moss', 7),
    (14, 24, 'Ellen Gray', 3),
    (15, 32, 'Gita Rao', 1),
    (16, 31, 'Amy Lowe', 5),
    (17, 27, 'Cathy Orr', 3),
    (18, 21, 'Dev Patel', 6),
    (19, 32, 'Ellen Gray', 2),
    (20, 13, 'Cathy Orr', 6),
    (21, 17, 'Bruno Costa', 1),
    (22, 24, 'Frank Moss', 3),
    (23, 27, 'Dev Patel', 4),
    (24, 32, 'Cathy Orr', 1),
    (25, 13, 'Dev Patel', 5),
    (26, 18, 'Ellen Gray', 2),
    (27, 32, 'Bruno Costa', 1),
    (28, 21, 'Dev Patel', 3),
    (29, 32, 'Cathy Orr', 7),
    (30, 11, 'Frank Moss', 7),
    (31, 26, 'Bruno Costa', 7),
    (32, 24, 'Frank Moss', 5),
    (33, 6, 'Gita Rao', 3),
    (34, 21, 'Ellen Gray', 4),
    (35, 14, 'Gita Rao', 3),
    (36, 17, 'Gita Rao', 1);
