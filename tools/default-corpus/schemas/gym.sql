-- A gym: members, trainers, classes, who books them, and the equipment.

CREATE TABLE gym_member (
    member_id INTEGER PRIMARY KEY,
    full_name TEXT NOT NULL,
    age INTEGER,
    gender TEXT,
    weight REAL,
    plan TEXT
);

CREATE TABLE trainer (
    trainer_id INTEGER PRIMARY KEY,
    full_name TEXT NOT NULL,
    age INTEGER,
    specialty TEXT,
    hourly_rate REAL,
    years_experience INTEGER
);

CREATE TABLE class (
    class_id INTEGER PRIMARY KEY,
    class_name TEXT NOT NULL,
    category TEXT,
    trainer_id INTEGER,
    weekday TEXT,
    max_places INTEGER,
    length INTEGER,
    FOREIGN KEY (trainer_id) REFERENCES trainer (trainer_id)
);

CREATE TABLE class_booking (
    member_id INTEGER,
    class_id INTEGER,
    attended TEXT,
    PRIMARY KEY (member_id, class_id),
    FOREIGN KEY (member_id) REFERENCES gym_member (member_id),
    FOREIGN KEY (class_id) REFERENCES class (class_id)
);

CREATE TABLE equipment (
    equip_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT,
    price INTEGER,
    purchase_year INTEGER
);

INSERT INTO gym_member VALUES
    (1, 'Abel Frost', 24, 'male', 81.5, 'basic'),
    (2, 'Bianca Hale', 31, 'female', 58.0, 'premium'),
    (3, 'Caleb Nunn', 45, 'male', 92.3, 'basic'),
    (4, 'Delia Crane', 52, 'female', 70.1, 'premium'),
    (5, 'Ethan Booth', 19, 'male', 75.8, 'student'),
    (6, 'Faith Ojo', 27, 'female', 64.4, 'student'),
    (7, 'Glen Harper', 38, 'male', 101.2, 'basic'),
    (8, 'Holly Quist', 33, 'female', 55.7, 'premium'),
    (9, 'Ismail Kaya', 41, 'male', 84.9, 'basic'),
    (10, 'Joan Pell', 60, 'female', 68.8, 'senior'),
    (11, 'Kurt Weiss', 64, 'male', 79.5, 'senior'),
    (12, 'Lara Dunn', 22, 'female', 59.9, 'student');

INSERT INTO trainer VALUES
    (1, 'Mo Farrell', 34, 'strength', 28.0, 9),
    (2, 'Nina Castle', 29, 'yoga', 25.5, 5),
    (3, 'Otis Reid', 46, 'boxing', 35.0, 20),
    (4, 'Petra Lund', 38, 'pilates', 30.0, 12),
    (5, 'Quincy Adams', 26, 'swimming', 22.0, 2);

INSERT INTO class VALUES
    (1, 'Power Hour', 'strength', 1, 'Monday', 20, 60),
    (2, 'Morning Flow', 'yoga', 2, 'Tuesday', 15, 45),
    (3, 'Deep Stretch', 'yoga', 2, 'Friday', 12, 75),
    (4, 'Ring Basics', 'boxing', 3, 'Wednesday', 10, 60),
    (5, 'Core Control', 'pilates', 4, 'Thursday', 14, 50),
    (6, 'Aqua Fit', 'swimming', 5, 'Monday', 25, 40),
    (7, 'Heavy Bag', 'boxing', 3, 'Saturday', 8, 30),
    (8, 'Lunch Lift', 'strength', 1, 'Thursday', 18, 30),
    (9, 'Gentle Pilates', 'pilates', 4, 'Tuesday', 16, 55);

INSERT INTO class_booking VALUES
    (1, 1, 'yes'),
    (1, 2, 'yes'),
    (1, 6, 'yes'),
    (2, 1, 'yes'),
    (2, 2, 'no'),
    (2, 4, 'no'),
    (2, 6, 'yes'),
    (2, 9, 'yes'),
    (3, 1, 'yes'),
    (3, 2, 'yes'),
    (3, 6, 'yes'),
    (5, 1, 'no'),
    (5, 2, 'yes'),
    (5, 4, 'yes'),
    (5, 6, 'no'),
    (5, 9, 'no'),
    (6, 2, 'yes'),
    (6, 4, 'yes'),
    (6, 6, 'yes'),
    (8, 1, 'yes'),
    (8, 2, 'yes'),
    (8, 4, 'yes'),
    (8, 5, 'yes'),
    (8, 6, 'yes'),
    (9, 2, 'yes'),
    (10, 1, 'yes'),
    (10, 3, 'no'),
    (10, 9, 'no'),
    (11, 4, 'yes'),
    (11, 6, 'no');

INSERT INTO equipment VALUES
    (1, 'Treadmill A', 'cardio', 2400, 2019),
    (2, 'Treadmill B', 'cardio', 2650, 2021),
    (3, 'Rowing Machine', 'cardio', 1300, 2018),
    (4, 'Squat Rack', 'strength', 900, 2016),
    (5, 'Bench Press', 'strength', 650, 2017),
    (6, 'Kettlebell Set', 'strength', 320, 2022),
    (7, 'Spin Bike', 'cardio', 1150, 2020),
    (8, 'Leg Press', 'strength', 1980, 2020),
    (9, 'Yoga Mats', 'studio', 150, 2023),
    (10, 'Punch Bag', 'studio', 210, 2019);
