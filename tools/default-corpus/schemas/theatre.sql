-- Theatres: plays, actors, the parts they have and performances.

CREATE TABLE theatre (
    theatre_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT,
    seats INTEGER,
    opened INTEGER
);

CREATE TABLE play (
    play_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    genre TEXT,
    author TEXT,
    duration INTEGER
);

CREATE TABLE actor (
    actor_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    age INTEGER,
    nationality TEXT,
    agency TEXT
);

CREATE TABLE casting (
    actor_id INTEGER,
    play_id INTEGER,
    part TEXT,
    PRIMARY KEY (actor_id, play_id),
    FOREIGN KEY (actor_id) REFERENCES actor (actor_id),
    FOREIGN KEY (play_id) REFERENCES play (play_id)
);

CREATE TABLE performance (
    performance_id INTEGER PRIMARY KEY,
    play_id INTEGER,
    theatre_id INTEGER,
    performance_date DATE,
    ticket_price INTEGER,
    audience INTEGER,
    FOREIGN KEY (play_id) REFERENCES play (play_id),
    FOREIGN KEY (theatre_id) REFERENCES theatre (theatre_id)
);

INSERT INTO theatre VALUES
    (1, 'Royal Court', 'Bristol', 820, 1879),
    (2, 'Old Vaults', 'York', 240, 1965),
    (3, 'Globe Stage', 'Oxford', 610, 1932),
    (4, 'Corn Hall', 'Cardiff', 1150, 1901),
    (5, 'Little Lantern', 'York', 95, 1998),
    (6, 'New Wharf', 'Bristol', 430, 2012);

INSERT INTO play VALUES
    (1, 'The Glass Key', 'drama', 'Ida Stern', 140),
    (2, 'Two Left Shoes', 'comedy', 'Max Bell', 95),
    (3, 'Winter Crown', 'tragedy', 'Ida Stern', 165),
    (4, 'A Door Ajar', 'comedy', 'Rosa Lind', 110),
    (5, 'The Long Ferry', 'drama', 'Paul Amis', 130),
    (6, 'Sparrow', 'musical', 'Max Bell', 120),
    (7, 'Nine Candles', 'musical', 'Rosa Lind', 150),
    (8, 'Ash and Ember', 'tragedy', 'Paul Amis', 175);

INSERT INTO actor VALUES
    (1, 'Karen Murray', 60, 'French', NULL),
    (2, 'Dora Stone', 28, 'Irish', NULL),
    (3, 'Vera Fischer', 70, 'Irish', 'North Star Talent'),
    (4, 'Sofia Becker', 29, 'French', 'North Star Talent'),
    (5, 'Tina Young', 50, 'British', NULL),
    (6, 'Helen Young', 61, 'Irish', 'North Star Talent'),
    (7, 'Noah Rossi', 71, 'British', NULL),
    (8, 'Ravi Stone', 68, 'British', NULL),
    (9, 'Julia Reid', 62, 'Irish', NULL),
    (10, 'Leo Turner', 54, 'Polish', 'Curtain Agency'),
    (11, 'Nadia Rossi', 71, 'Polish', NULL),
    (12, 'Kevin Doyle', 40, 'British', 'Curtain Agency'),
    (13, 'Peter Dunn', 45, 'French', 'North Star Talent'),
    (14, 'Anna Abbot', 47, 'Polish', 'North Star Talent'),
    (15, 'Ivan Silva', 50, 'Polish', 'North Star Talent');

INSERT INTO casting VALUES
    (1, 7, 'queen'),
    (2, 6, 'fool'),
    (3, 4, 'queen'),
    (4, 5, 'doctor'),
    (4, 6, 'thief'),
    (4, 7, 'queen'),
    (5, 6, 'captain'),
    (6, 3, 'maid'),
    (6, 7, 'doctor'),
    (6, 6, 'queen'),
    (7, 1, 'captain'),
    (8, 3, 'king'),
    (8, 2, 'doctor'),
    (9, 2, 'king'),
    (9, 6, 'thief'),
    (10, 5, 'doctor'),
    (10, 4, 'doctor'),
    (11, 5, 'queen'),
    (12, 7, 'fool'),
    (12, 4, 'king'),
    (13, 1, 'maid'),
    (13, 3, 'king');

INSERT INTO performance VALUES
    (1, 5, 2, '2022-03-12', 40, 580),
    (2, 2, 5, '2022-05-22', 32, 210),
    (3, 7, 2, '2021-07-07', 55, 740),
    (4, 6, 4, '2023-01-08', 32, 230),
    (5, 5, 3, '2023-04-03', 40, 450),
    (6, 5, 2, '2023-09-13', 32, 130),
    (7, 5, 1, '2022-03-16', 25, 810),
    (8, 5, 5, '2021-03-11', 18, 430),
    (9, 6, 2, '2023-11-07', 25, 140),
    (10, 4, 3, '2022-11-06', 55, 530),
    (11, 3, 5, '2023-03-04', 25, 280),
    (12, 1, 5, '2022-01-22', 40, 130),
    (13, 4, 2, '2022-11-21', 12, 130),
    (14, 4, 2, '2022-07-07', 55, 280),
    (15, 4, 4, '2021-05-22', 12, 310),
    (16, 3, 1, '2022-11-24', 18, 270),
    (17, 5, 2, '2022-10-05', 12, 580),
    (18, 3, 2, '2022-04-21', 18, 360),
    (19, 6, 1, '2021-07-02', 12, 890),
    (20, 6, 2, '2023-11-15', 40, 130),
    (21, 2, 1, '2022-02-22', 40, 410),
    (22, 7, 4, '2021-02-25', 40, 870),
    (23, 3, 3, '2023-09-19', 18, 600),
    (24, 1, 2, '2021-08-06', 18, 230),
    (25, 2, 2, '2023-02-08', 18, 590),
    (26, 7, 5, '2023-08-06', 12, 850),
    (27, 4, 1, '2022-03-25', 55, 230),
    (28, 7, 5, '2021-08-21', 25, 810),
    (29, 6, 4, '2023-07-07', 25, 800),
    (30, 2, 3, '2022-06-18', 32, 250),
    (31, 3, 4, '2023-09-07', 18, 870),
    (32, 5, 2, '2023-05-21', 32, 410),
    (33, 7, 2, '2022-11-21', 25, 300),
    (34, 2, 3, '2021-06-20', 55, 250);
