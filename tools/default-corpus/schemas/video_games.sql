-- Video games: studios, the games they made, players and reviews.

CREATE TABLE studio (
    studio_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    country TEXT,
    founded INTEGER,
    num_employees INTEGER
);

CREATE TABLE game (
    game_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    genre TEXT,
    price INTEGER,
    release_year INTEGER,
    copies_sold INTEGER,
    studio_id INTEGER,
    FOREIGN KEY (studio_id) REFERENCES studio (studio_id)
);

CREATE TABLE player (
    player_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    age INTEGER,
    country TEXT,
    member_since DATE
);

CREATE TABLE review (
    review_id INTEGER PRIMARY KEY,
    game_id INTEGER,
    player_id INTEGER,
    rating INTEGER,
    review_date DATE,
    comment TEXT,
    FOREIGN KEY (game_id) REFERENCES game (game_id),
    FOREIGN KEY (player_id) REFERENCES player (player_id)
);

INSERT INTO studio VALUES
    (1, 'Red Lantern', 'Japan', 1988, 25),
    (2, 'Northgate', 'Canada', 1996, 12),
    (3, 'Tiny Mammoth', 'Sweden', 2009, 350),
    (4, 'Pixel Forge', 'Poland', 2002, 90),
    (5, 'Low Tide', 'Canada', 2014, 40),
    (6, 'Blue Comet', 'Japan', 2018, 25),
    (7, 'Hollow Oak', 'Sweden', 2020, 25);

INSERT INTO game VALUES
    (1, 'Star Harbour', 'strategy', 60, 2013, 950000, 5),
    (2, 'Deep Forest', 'racing', 15, 2003, 1230000, 4),
    (3, 'Iron Valley', 'adventure', 20, 1998, 1770000, 5),
    (4, 'Last Lighthouse', 'adventure', 45, 2001, 1460000, 2),
    (5, 'Kart Kings', 'strategy', 15, 2011, 2640000, 5),
    (6, 'Moon Garden', 'strategy', 9, 2013, 770000, 6),
    (7, 'Castle Run', 'strategy', 45, 2015, 3500000, 3),
    (8, 'Dragon Trail', 'strategy', 15, 2010, 2150000, 4),
    (9, 'Sky Racer', 'racing', 30, 2020, 2790000, 6),
    (10, 'Puzzle Bay', 'puzzle', 45, 2015, 2880000, 3),
    (11, 'Frozen Gate', 'strategy', 30, 2023, 790000, 5),
    (12, 'City Builder', 'puzzle', 20, 2022, 2780000, 4),
    (13, 'Night Shift', 'racing', 15, 2007, 560000, 4),
    (14, 'Ocean Quest', 'strategy', 45, 2011, 3810000, 3),
    (15, 'Shadow Chess', 'puzzle', 15, 2007, 850000, 5);

INSERT INTO player VALUES
    (1, 'Marco Clarke', 18, 'Brazil', '2015-05-07'),
    (2, 'George Bishop', 29, 'Brazil', '2017-12-21'),
    (3, 'Kevin Petit', 34, 'Japan', '2017-04-23'),
    (4, 'Nadia Quinn', 42, 'Sweden', '2015-09-14'),
    (5, 'Finn Singh', 57, 'Brazil', '2017-05-14'),
    (6, 'Olga Vance', 22, 'Poland', '2018-10-09'),
    (7, 'Emma Brown', 44, 'Japan', '2020-09-02'),
    (8, 'Vera Bishop', 53, 'Poland', '2019-12-10'),
    (9, 'Wanda Costa', 53, 'Japan', '2018-11-21'),
    (10, 'Karen Weber', 47, 'Brazil', '2018-01-06'),
    (11, 'Sofia Brown', 33, 'Canada', '2018-07-03'),
    (12, 'Ravi Green', 49, 'Canada', '2015-08-18'),
    (13, 'Amir Quinn', 54, 'Canada', '2022-02-24'),
    (14, 'Ivan Murray', 58, 'Poland', '2022-04-07');

INSERT INTO review VALUES
    (1, 9, 4, 7, '2022-04-02', 'too short'),
    (2, 11, 5, 9, '2020-05-15', 'great fun'),
    (3, 2, 9, 2, '2023-10-23', 'too short'),
    (4, 7, 2, 4, '2022-09-16', NULL),
    (5, 8, 11, 2, '2021-09-20', 'great fun'),
    (6, 1, 2, 2, '2022-06-09', 'too short'),
    (7, 9, 4, 1, '2022-04-14', 'great fun'),
    (8, 6, 9, 8, '2023-05-14', 'great fun'),
    (9, 13, 4, 1, '2023-10-27', 'too short'),
    (10, 6, 6, 9, '2022-09-02', 'great fun'),
    (11, 4, 7, 1, '2023-07-02', 'great fun'),
    (12, 4, 12, 2, '2020-01-25', 'hard'),
    (13, 4, 9, 4, '2020-12-17', NULL),
    (14, 6, 4, 7, '2020-09-21', 'lovely art'),
    (15, 4, 3, 6, '2023-03-11', 'hard'),
    (16, 5, 9, 1, '2020-02-22', 'too short'),
    (17, 7, 2, 8, '2023-10-21', 'too short'),
    (18, 8, 8, 10, '2021-05-10', 'lovely art'),
    (19, 2, 2, 9, '2022-11-25', 'hard'),
    (20, 1, 10, 5, '2022-07-25', 'too short'),
    (21, 13, 9, 5, '2023-01-08', 'hard'),
    (22, 9, 2, 2, '2020-02-24', 'too short'),
    (23, 12, 6, 8, '2020-05-02', 'great fun'),
    (24, 1, 9, 8, '2023-06-24', 'hard'),
    (25, 3, 11, 9, '2020-01-13', 'hard'),
    (26, 10, 12, 1, '2021-04-13', 'too short'),
    (27, 10, 12, 5, '2020-08-06', 'great fun'),
    (28, 10, 6, 2, '2022-05-13', 'great fun'),
    (29, 2, 12, 8, '2020-01-05', 'too short'),
    (30, 1, 10, 1, '2021-09-24', 'hard'),
    (31, 13, 4, 7, '2022-02-24', 'hard'),
    (32, 7, 9, 8, '2023-01-14', 'lovely art'),
    (33, 9, 4, 10, '2021-12-15', 'too short'),
    (34, 13, 12, 4, '2020-02-22', 'hard'),
    (35, 6, 2, 9, '2023-02-06', NULL),
    (36, 6, 3, 4, '2023-12-12', NULL),
    (37, 9, 2, 5, '2022-06-22', 'hard'),
    (38, 4, 1, 2, '2020-05-27', 'too short'),
    (39, 5, 5, 6, '2020-08-15', 'hard'),
    (40, 1, 3, 5, '2021-12-22', 'lovely art'),
    (41, 10, 7, 10, '2023-07-17', 'lovely art'),
    (42, 13, 12, 5, '2022-02-04', 'hard'),
    (43, 5, 1, 5, '2023-06-18', 'hard'),
    (44, 9, 7, 5, '2021-06-10', NULL);
