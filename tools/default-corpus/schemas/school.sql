-- A secondary school: departments, teachers, courses and who takes them.

CREATE TABLE department (
    dept_code TEXT PRIMARY KEY,
    dept_name TEXT NOT NULL,
    building TEXT,
    budget INTEGER
);

CREATE TABLE teacher (
    teacher_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    dept_code TEXT,
    salary INTEGER,
    hire_year INTEGER,
    FOREIGN KEY (dept_code) REFERENCES department (dept_code)
);

CREATE TABLE course (
    course_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    dept_code TEXT,
    teacher_id INTEGER,
    credits INTEGER,
    room TEXT,
    FOREIGN KEY (dept_code) REFERENCES department (dept_code),
    FOREIGN KEY (teacher_id) REFERENCES teacher (teacher_id)
);

CREATE TABLE student (
    student_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    age INTEGER,
    grade INTEGER,
    home_town TEXT,
    gpa REAL
);

CREATE TABLE enrolment (
    student_id INTEGER,
    course_id INTEGER,
    term TEXT,
    mark INTEGER,
    PRIMARY KEY (student_id, course_id),
    FOREIGN KEY (student_id) REFERENCES student (student_id),
    FOREIGN KEY (course_id) REFERENCES course (course_id)
);

INSERT INTO department VALUES
    ('SCI', 'Science', 'Newton Hall', 84000),
    ('ART', 'Arts', 'Old Mill', 31000),
    ('LAN', 'Languages', 'Old Mill', 46000),
    ('MAT', 'Mathematics', 'Newton Hall', 52000),
    ('HUM', 'Humanities', 'Rose Building', 38000),
    ('SPO', 'Sports', 'Arena', 67000);

INSERT INTO teacher VALUES
    (1, 'Anna Whitfield', 'SCI', 52000, 2009),
    (2, 'Brian Osei', 'MAT', 48500, 2014),
    (3, 'Clara Novak', 'LAN', 45200, 2016),
    (4, 'David Lim', 'SCI', 61000, 2001),
    (5, 'Esther Grant', 'ART', 39800, 2019),
    (6, 'Felix Romero', 'LAN', 43700, 2017),
    (7, 'Georgia Petrov', 'HUM', 50400, 2010),
    (8, 'Hugh Sanders', 'SPO', 41000, 2018),
    (9, 'Isla McKay', 'MAT', 57300, 2005),
    (10, 'Jonas Weber', 'HUM', 38900, 2021),
    (11, 'Karen Bishop', 'SPO', 44600, 2012);

INSERT INTO course VALUES
    (1, 'Algebra', 'MAT', 2, 6, 'N12'),
    (2, 'Geometry', 'MAT', 9, 4, 'N14'),
    (3, 'Statistics', 'MAT', 9, 5, 'N12'),
    (4, 'Biology', 'SCI', 1, 6, 'N20'),
    (5, 'Chemistry', 'SCI', 4, 6, 'N21'),
    (6, 'Physics', 'SCI', 4, 8, 'N22'),
    (7, 'Astronomy', 'SCI', 1, 3, 'N20'),
    (8, 'French', 'LAN', 3, 4, 'M03'),
    (9, 'Spanish', 'LAN', 6, 4, 'M04'),
    (10, 'Latin', 'LAN', 3, 2, 'M03'),
    (11, 'Painting', 'ART', 5, 2, 'M10'),
    (12, 'Pottery', 'ART', 5, 2, 'M11'),
    (13, 'World History', 'HUM', 7, 5, 'R01'),
    (14, 'Philosophy', 'HUM', 10, 3, 'R02'),
    (15, 'Geography', 'HUM', 7, 4, 'R01'),
    (16, 'Athletics', 'SPO', 8, 2, 'A1'),
    (17, 'Swimming', 'SPO', 11, 2, 'A2');

INSERT INTO student VALUES
    (1, 'Adam Novotny', 15, 10, 'Bristol', 3.1),
    (2, 'Bella Hughes', 16, 11, 'Bath', 3.8),
    (3, 'Chloe Martin', 17, 12, 'Bristol', 3.5),
    (4, 'Dylan Shaw', 14, 9, 'Wells', 2.4),
    (5, 'Ella Fisher', 15, 10, 'Bath', 3.9),
    (6, 'Finn Gallagher', 18, 12, 'Frome', 2.9),
    (7, 'Grace Kim', 16, 11, 'Bristol', 4.0),
    (8, 'Hassan Ali', 17, 12, 'Bath', 3.3),
    (9, 'Isabel Torres', 14, 9, 'Frome', 3.6),
    (10, 'Jamie Scott', 15, 10, 'Wells', 2.2),
    (11, 'Kira Ivanova', 16, 11, 'Bristol', 3.7),
    (12, 'Leo Bennett', 17, 12, 'Radstock', 2.7),
    (13, 'Mia Chen', 14, 9, 'Bath', 3.4),
    (14, 'Nathan Cole', 18, 12, 'Bristol', 3.0),
    (15, 'Olivia Park', 15, 10, 'Radstock', 3.2),
    (16, 'Paul Dunn', 16, 11, 'Wells', 2.6);

INSERT INTO enrolment VALUES
    (1, 1, 'autumn', 48),
    (1, 2, 'spring', 78),
    (1, 4, 'autumn', 66),
    (1, 13, 'autumn', 51),
    (2, 9, 'autumn', 51),
    (2, 16, 'autumn', 48),
    (3, 4, 'autumn', 78),
    (3, 6, 'spring', 57),
    (3, 8, 'autumn', 60),
    (3, 11, 'autumn', 81),
    (3, 16, 'autumn', 66),
    (4, 3, 'autumn', 48),
    (5, 5, 'autumn', 78),
    (5, 6, 'autumn', 72),
    (5, 15, 'spring', 90),
    (6, 5, 'autumn', 72),
    (6, 16, 'spring', 96),
    (7, 1, 'autumn', 69),
    (7, 2, 'spring', 57),
    (7, 4, 'spring', 66),
    (7, 11, 'autumn', 75),
    (7, 13, 'autumn', NULL),
    (8, 11, 'spring', 57),
    (8, 16, 'spring', 90),
    (9, 9, 'spring', 57),
    (9, 13, 'spring', 69),
    (9, 16, 'spring', 84),
    (11, 4, 'autumn', 96),
    (11, 6, 'autumn', 48),
    (11, 8, 'spring', 48),
    (11, 9, 'autumn', 60),
    (11, 13, 'autumn', 54),
    (11, 16, 'spring', 66),
    (12, 13, 'autumn', 66),
    (12, 16, 'autumn', 87),
    (13, 4, 'autumn', 69),
    (13, 9, 'autumn', 66),
    (13, 13, 'spring', 69),
    (14, 1, 'spring', 69),
    (14, 6, 'autumn', 57);
