-- A university: professors, students, modules and exams; names are in two columns.

CREATE TABLE professor (
    prof_id INTEGER PRIMARY KEY,
    first_name TEXT,
    last_name TEXT,
    faculty TEXT,
    salary INTEGER,
    office TEXT
);

CREATE TABLE student (
    stu_id INTEGER PRIMARY KEY,
    first_name TEXT,
    last_name TEXT,
    major TEXT,
    birth_year INTEGER,
    home_town TEXT,
    email TEXT
);

CREATE TABLE module (
    module_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    credits INTEGER,
    term TEXT,
    prof_id INTEGER,
    FOREIGN KEY (prof_id) REFERENCES professor (prof_id)
);

CREATE TABLE exam (
    exam_id INTEGER PRIMARY KEY,
    stu_id INTEGER,
    module_id INTEGER,
    score INTEGER,
    exam_date DATE,
    FOREIGN KEY (stu_id) REFERENCES student (stu_id),
    FOREIGN KEY (module_id) REFERENCES module (module_id)
);

INSERT INTO professor VALUES
    (1, 'Kevin', 'Brown', 'physics', 74000, 'B257'),
    (2, 'Dora', 'Kowalski', 'law', 68000, NULL),
    (3, 'Victor', 'Petit', 'law', 79000, NULL),
    (4, 'Amir', 'Reid', 'law', 59000, 'B339'),
    (5, 'Tina', 'Marsh', 'biology', 98000, NULL),
    (6, 'Leo', 'Bishop', 'law', 74000, 'B138'),
    (7, 'Laura', 'Archer', 'history', 97000, NULL),
    (8, 'Sam', 'Quinn', 'biology', 89000, 'B402'),
    (9, 'Hugo', 'Larsen', 'physics', 70000, NULL);

INSERT INTO student VALUES
    (1, 'Marco', 'Doyle', 'history', 1999, 'Berlin', 'doyle@uni.example'),
    (2, 'David', 'Brown', 'law', 2001, 'Berlin', NULL),
    (3, 'Ines', 'Stone', 'biology', 1997, 'Lisbon', 'stone@uni.example'),
    (4, 'Maria', 'Murray', 'law', 2002, 'Zurich', NULL),
    (5, 'Jack', 'Novak', 'history', 2004, 'Lisbon', NULL),
    (6, 'Laura', 'Keller', 'physics', 2004, 'Vienna', NULL),
    (7, 'Walter', 'Novak', 'law', 1996, 'Lisbon', 'novak@uni.example'),
    (8, 'Noah', 'Winter', 'biology', 2003, 'Hamburg', 'winter@uni.example'),
    (9, 'Yusuf', 'Murray', 'biology', 1997, 'Zurich', NULL),
    (10, 'Ravi', 'Schmidt', 'physics', 2003, 'Vienna', NULL),
    (11, 'Hugo', 'Quinn', 'law', 2005, 'Berlin', 'quinn@uni.example'),
    (12, 'Emma', 'Kowalski', 'history', 2001, 'Madrid', NULL),
    (13, 'Victor', 'Silva', 'physics', 2005, 'Vienna', 'silva@uni.example'),
    (14, 'Dora', 'Ellis', 'physics', 1999, 'Vienna', 'ellis@uni.example'),
    (15, 'Clara', 'Weber', 'law', 2003, 'Madrid', NULL),
    (16, 'Ruth', 'Kowalski', 'history', 2004, 'Berlin', NULL),
    (17, 'Eric', 'Clarke', 'physics', 2003, 'Zurich', 'clarke@uni.example'),
    (18, 'Peter', 'Murray', 'physics', 2004, 'Madrid', 'murray@uni.example'),
    (19, 'Wanda', 'Novak', 'biology', 1996, 'Vienna', 'novak@uni.example'),
    (20, 'Julia', 'Bauer', 'physics', 1996, 'Zurich', 'bauer@uni.example'),
    (21, 'Kevin', 'Fischer', 'law', 1999, 'Berlin', 'fischer@uni.example'),
    (22, 'Nadia', 'Bauer', 'history', 2004, 'Lisbon', NULL),
    (23, 'Oscar', 'Costa', 'history', 1997, 'Zurich', 'costa@uni.example'),
    (24, 'George', 'Ellis', 'physics', 1997, 'Berlin', 'ellis@uni.example');

INSERT INTO module VALUES
    (1, 'Roman Law', 5, 'winter', 2),
    (2, 'Optics', 6, 'summer', 6),
    (3, 'Genetics', 6, 'summer', 2),
    (4, 'Cold War', 10, 'summer', 1),
    (5, 'Statistics', 10, 'summer', 4),
    (6, 'Ecology', 6, 'summer', 3),
    (7, 'Contract Law', 5, 'summer', 1),
    (8, 'Mechanics', 10, 'winter', 7),
    (9, 'Middle Ages', 6, 'summer', 6),
    (10, 'Logic', 6, 'winter', 7);

INSERT INTO exam VALUES
    (1, 1, 6, NULL, '2021-10-19'),
    (2, 3, 8, 79, '2023-05-23'),
    (3, 3, 7, 68, '2022-03-25'),
    (4, 4, 4, 73, '2023-12-07'),
    (5, 4, 9, 61, '2023-07-03'),
    (6, 4, 2, 84, '2023-04-12'),
    (7, 5, 3, 42, '2021-04-14'),
    (8, 5, 8, 79, '2021-11-13'),
    (9, 5, 6, 79, '2022-06-28'),
    (10, 5, 4, 61, '2022-07-07'),
    (11, 6, 8, NULL, '2022-02-14'),
    (12, 7, 2, NULL, '2022-08-05'),
    (13, 7, 3, 61, '2021-05-05'),
    (14, 7, 4, NULL, '2021-05-15'),
    (15, 10, 5, 79, '2023-05-26'),
    (16, 10, 9, 96, '2021-11-01'),
    (17, 11, 5, 68, '2022-10-12'),
    (18, 11, 2, 84, '2021-09-04'),
    (19, 11, 6, NULL, '2022-06-16'),
    (20, 11, 1, 84, '2022-08-12'),
    (21, 12, 1, 96, '2021-06-17'),
    (22, 13, 7, 42, '2023-09-03'),
    (23, 15, 2, 61, '2023-08-02'),
    (24, 15, 8, 68, '2021-10-04'),
    (25, 15, 9, 42, '2021-08-08'),
    (26, 16, 5, 96, '2022-09-01'),
    (27, 16, 9, 79, '2021-07-01'),
    (28, 17, 2, 73, '2023-08-25'),
    (29, 17, 6, NULL, '2022-02-18'),
    (30, 17, 5, 84, '2022-10-04'),
    (31, 18, 3, NULL, '2021-10-22'),
    (32, 18, 2, 61, '2022-12-14'),
    (33, 18, 6, 42, '2021-07-26'),
    (34, 18, 9, NULL, '2022-09-14'),
    (35, 19, 5, 90, '2023-07-20'),
    (36, 19, 4, 55, '2023-04-28'),
    (37, 19, 9, 73, '2021-11-11'),
    (38, 20, 6, 42, '2021-09-15'),
    (39, 20, 4, 61, '2022-07-12'),
    (40, 20, 5, 79, '2023-01-07');
