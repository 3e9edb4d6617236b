-- A veterinary clinic: owners, pets, vets, visits and what was prescribed.

CREATE TABLE owner (
    owner_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT,
    phone TEXT
);

CREATE TABLE pet (
    pet_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    species TEXT,
    breed TEXT,
    age INTEGER,
    weight REAL,
    owner_id INTEGER REFERENCES owner (owner_id)
);

CREATE TABLE vet (
    vet_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    specialty TEXT,
    salary INTEGER,
    years_experience INTEGER
);

CREATE TABLE visit (
    visit_id INTEGER PRIMARY KEY,
    pet_id INTEGER REFERENCES pet (pet_id),
    vet_id INTEGER REFERENCES vet (vet_id),
    visit_date DATE,
    reason TEXT,
    cost REAL
);

CREATE TABLE medicine (
    medicine_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    category TEXT,
    price REAL,
    stock INTEGER
);

CREATE TABLE prescription (
    visit_id INTEGER REFERENCES visit (visit_id),
    medicine_id INTEGER REFERENCES medicine (medicine_id),
    qty INTEGER,
    PRIMARY KEY (visit_id, medicine_id)
);

INSERT INTO owner VALUES
    (1, 'Amelia Stone', 'Exeter', '01392 410220'),
    (2, 'Bill Jarvis', 'Torquay', NULL),
    (3, 'Cora Penrose', 'Exeter', '01392 455871'),
    (4, 'Derek Olds', 'Plymouth', '01752 300122'),
    (5, 'Elena Marsh', 'Totnes', NULL),
    (6, 'Fergus Kay', 'Plymouth', '01752 381904'),
    (7, 'Gloria Tan', 'Exeter', NULL),
    (8, 'Howard Pike', 'Torquay', '01803 290555'),
    (9, 'Ivy Lowell', 'Totnes', '01803 866100'),
    (10, 'Joel Summers', 'Plymouth', NULL),
    (11, 'Kitty Rowan', 'Dawlish', '01626 862430');

INSERT INTO pet VALUES
    (1, 'Biscuit', 'dog', 'beagle', 4, 12.4, 1),
    (2, 'Luna', 'cat', 'siamese', 2, 3.9, 1),
    (3, 'Rex', 'dog', 'boxer', 9, 29.5, 2),
    (4, 'Pepper', 'rabbit', 'dutch', 3, 2.1, 3),
    (5, 'Milo', 'cat', 'tabby', 11, 5.2, 4),
    (6, 'Daisy', 'dog', 'labrador', 6, 31.0, 4),
    (7, 'Kiwi', 'parrot', 'macaw', 15, 1.1, 5),
    (8, 'Shadow', 'cat', 'tabby', 7, 4.8, 6),
    (9, 'Bruno', 'dog', 'labrador', 1, 18.7, 6),
    (10, 'Nibbles', 'hamster', 'golden', 1, 0.1, 7),
    (11, 'Oscar', 'cat', 'persian', 5, 6.3, 8),
    (12, 'Tilly', 'dog', 'beagle', 8, 11.2, 8),
    (13, 'Clover', 'rabbit', 'lop', 2, 1.8, 9),
    (14, 'Ziggy', 'dog', 'greyhound', 3, 27.4, 10),
    (15, 'Mango', 'parrot', 'cockatoo', 22, 0.9, 4),
    (16, 'Smudge', 'cat', 'siamese', 13, 4.1, 3),
    (17, 'Bella', 'dog', 'boxer', 5, 26.8, 6),
    (18, 'Hazel', 'rabbit', 'dutch', 6, 2.4, 10);

INSERT INTO vet VALUES
    (1, 'Dr Alice Monk', 'surgery', 68000, 15),
    (2, 'Dr Ben Harlow', 'dentistry', 54000, 7),
    (3, 'Dr Chen Wu', 'exotic animals', 59500, 11),
    (4, 'Dr Dawn Fields', 'general practice', 47000, 3),
    (5, 'Dr Edgar Nunn', 'general practice', 52500, 20),
    (6, 'Dr Faye Orr', 'dermatology', 50200, 5);

INSERT INTO visit VALUES
    (1, 12, 4, '2023-05-05', 'vaccination', 28.5),
    (2, 14, 1, '2023-06-17', 'skin problem', 72.5),
    (3, 1, 4, '2023-09-20', 'injury', 140.0),
    (4, 7, 2, '2023-12-15', 'dental', 107.5),
    (5, 3, 3, '2023-01-04', 'check-up', 35.0),
    (6, 11, 1, '2023-12-13', 'injury', 140.0),
    (7, 3, 3, '2023-12-26', 'vaccination', 41.0),
    (8, 5, 3, '2023-07-09', 'check-up', 40.0),
    (9, 1, 3, '2023-12-01', 'skin problem', 72.5),
    (10, 7, 4, '2023-03-01', 'check-up', 35.0),
    (11, 17, 1, '2023-10-01', 'vaccination', 28.5),
    (12, 11, 3, '2023-04-11', 'skin problem', 60.0),
    (13, 2, 5, '2023-01-17', 'check-up', 35.0),
    (14, 9, 5, '2023-04-14', 'injury', 140.0),
    (15, 3, 1, '2023-12-19', 'vaccination', 28.5),
    (16, 12, 1, '2023-01-09', 'check-up', 55.0),
    (17, 12, 2, '2023-12-09', 'dental', 115.0),
    (18, 2, 4, '2023-04-06', 'check-up', 55.0),
    (19, 1, 4, '2023-11-17', 'injury', 160.0),
    (20, 15, 1, '2023-06-04', 'injury', 160.0),
    (21, 8, 3, '2023-07-07', 'vaccination', 48.5),
    (22, 1, 4, '2023-10-11', 'dental', 95.0),
    (23, 2, 3, '2023-04-15', 'vaccination', 33.5),
    (24, 1, 3, '2023-11-10', 'vaccination', 28.5),
    (25, 1, 1, '2023-07-25', 'injury', 160.0),
    (26, 8, 4, '2023-06-23', 'skin problem', 60.0),
    (27, 17, 1, '2023-07-21', 'injury', 140.0),
    (28, 7, 5, '2023-06-28', 'check-up', 55.0),
    (29, 2, 3, '2023-03-23', 'vaccination', 33.5),
    (30, 1, 2, '2023-05-06', 'check-up', 35.0),
    (31, 2, 1, '2023-01-02', 'injury', 152.5),
    (32, 7, 3, '2023-10-01', 'check-up', 40.0),
    (33, 2, 4, '2023-09-09', 'vaccination', 28.5),
    (34, 17, 5, '2023-05-23', 'check-up', 35.0);

INSERT INTO medicine VALUES
    (1, 'Amoxil', 'antibiotic', 14.5, 120),
    (2, 'Dermacalm', 'ointment', 9.9, 45),
    (3, 'Painaway', 'painkiller', 7.2, 200),
    (4, 'Wormex', 'dewormer', 11.0, 80),
    (5, 'Calmivet', 'sedative', 22.4, 15),
    (6, 'Flexijoint', 'supplement', 18.6, 60),
    (7, 'Otoclear', 'antibiotic', 13.3, 30),
    (8, 'Vitapet', 'supplement', 6.5, 0);

INSERT INTO prescription VALUES
    (1, 2, 1),
    (2, 3, 3),
    (3, 1, 1),
    (3, 4, 2),
    (7, 1, 2),
    (7, 2, 1),
    (7, 5, 1),
    (7, 6, 4),
    (11, 6, 4),
    (13, 6, 1),
    (15, 1, 4),
    (17, 1, 1),
    (18, 6, 1),
    (19, 1, 3),
    (19, 6, 2),
    (21, 6, 4),
    (22, 1, 2),
    (22, 6, 3),
    (23, 6, 4),
    (25, 1, 2),
    (25, 6, 1),
    (26, 5, 1),
    (29, 3, 1),
    (30, 6, 4),
    (33, 4, 4),
    (33, 6, 1);
