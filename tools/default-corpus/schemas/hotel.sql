-- Hotels: their rooms, staff, guests and reservations.

CREATE TABLE hotels (
    hotel_id INTEGER PRIMARY KEY,
    hotel_name TEXT NOT NULL,
    city TEXT,
    stars INTEGER,
    num_rooms INTEGER
);

CREATE TABLE rooms (
    room_id INTEGER PRIMARY KEY,
    hotel_id INTEGER,
    room_number INTEGER,
    room_type TEXT,
    num_beds INTEGER,
    price_per_night INTEGER,
    FOREIGN KEY (hotel_id) REFERENCES hotels (hotel_id)
);

CREATE TABLE guests (
    guest_id INTEGER PRIMARY KEY,
    guest_name TEXT NOT NULL,
    nationality TEXT,
    age INTEGER
);

CREATE TABLE reservations (
    reservation_id INTEGER PRIMARY KEY,
    room_id INTEGER,
    guest_id INTEGER,
    check_in DATE,
    nights INTEGER,
    status TEXT,
    FOREIGN KEY (room_id) REFERENCES rooms (room_id),
    FOREIGN KEY (guest_id) REFERENCES guests (guest_id)
);

CREATE TABLE staff (
    staff_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    hotel_id INTEGER,
    position TEXT,
    monthly_salary INTEGER,
    FOREIGN KEY (hotel_id) REFERENCES hotels (hotel_id)
);

INSERT INTO hotels VALUES
    (1, 'Grand Plaza', 'Nice', 5, 140),
    (2, 'Harbour Inn', 'Brest', 3, 42),
    (3, 'Alpine Lodge', 'Chamonix', 4, 60),
    (4, 'City Rest', 'Nice', 2, 88),
    (5, 'Le Jardin', 'Tours', 4, 35),
    (6, 'Station Hotel', 'Brest', 3, 70),
    (7, 'Belle Vue', 'Annecy', 5, 54);

INSERT INTO rooms VALUES
    (1, 1, 222, 'double', 2, 100),
    (2, 1, 169, 'suite', 4, 210),
    (3, 1, 269, 'double', 2, 125),
    (4, 1, 236, 'double', 2, 125),
    (5, 2, 277, 'single', 1, 105),
    (6, 2, 254, 'double', 2, 125),
    (7, 2, 159, 'double', 2, 100),
    (8, 2, 243, 'double', 2, 100),
    (9, 3, 116, 'single', 1, 105),
    (10, 3, 248, 'double', 2, 125),
    (11, 3, 310, 'single', 1, 60),
    (12, 3, 152, 'single', 1, 105),
    (13, 4, 158, 'single', 1, 90),
    (14, 4, 124, 'double', 2, 140),
    (15, 4, 209, 'double', 2, 140),
    (16, 4, 214, 'double', 2, 95),
    (17, 5, 243, 'single', 1, 90),
    (18, 5, 144, 'suite', 4, 255),
    (19, 5, 230, 'suite', 4, 240),
    (20, 5, 309, 'suite', 4, 255),
    (21, 6, 108, 'double', 2, 110),
    (22, 6, 265, 'double', 2, 110),
    (23, 6, 286, 'suite', 4, 225),
    (24, 6, 122, 'single', 1, 75);

INSERT INTO guests VALUES
    (1, 'Aline Petit', 'French', 34),
    (2, 'Boyd Carver', 'American', 58),
    (3, 'Chiara Fonti', 'Italian', 27),
    (4, 'Dmitri Orlov', 'Russian', 49),
    (5, 'Erin Walsh', 'Irish', 31),
    (6, 'Franz Huber', 'German', 66),
    (7, 'Gaelle Morin', 'French', 22),
    (8, 'Hiro Sato', 'Japanese', 40),
    (9, 'Ilse Krause', 'German', 53),
    (10, 'Jorge Lima', 'Brazilian', 38),
    (11, 'Kelly Stone', 'American', 29);

INSERT INTO reservations VALUES
    (1, 9, 3, '2024-06-12', 9, 'paid'),
    (2, 1, 4, '2024-07-02', 9, 'paid'),
    (3, 9, 8, '2024-07-02', 7, 'paid'),
    (4, 23, 1, '2024-09-08', 3, 'paid'),
    (5, 10, 1, '2024-07-09', 8, 'pending'),
    (6, 23, 8, '2024-01-17', 8, 'pending'),
    (7, 8, 3, '2024-05-15', 8, 'cancelled'),
    (8, 9, 2, '2024-08-18', 6, 'paid'),
    (9, 8, 10, '2024-04-20', 1, 'pending'),
    (10, 13, 2, '2024-04-26', 1, 'paid'),
    (11, 9, 7, '2024-02-12', 9, 'paid'),
    (12, 1, 3, '2024-05-21', 2, 'paid'),
    (13, 20, 6, '2024-08-16', 6, 'pending'),
    (14, 17, 8, '2024-03-15', 5, 'paid'),
    (15, 10, 3, '2024-09-21', 8, 'paid'),
    (16, 11, 6, '2024-05-01', 1, 'paid'),
    (17, 5, 6, '2024-05-14', 3, 'paid'),
    (18, 8, 4, '2024-08-02', 9, 'pending'),
    (19, 2, 4, '2024-07-19', 2, 'cancelled'),
    (20, 8, 7, '2024-09-12', 6, 'cancelled'),
    (21, 22, 2, '2024-01-23', 3, 'paid'),
    (22, 2, 1, '2024-07-18', 4, 'cancelled'),
    (23, 4, 8, '2024-06-07', 5, 'pending'),
    (24, 21, 5, '2024-02-07', 9, 'cancelled'),
    (25, 22, 3, '2024-02-14', 6, 'pending'),
    (26, 3, 8, '2024-06-05', 2, 'pending'),
    (27, 11, 8, '2024-03-25', 7, 'pending'),
    (28, 7, 1, '2024-04-16', 10, 'cancelled'),
    (29, 19, 2, '2024-01-22', 10, 'pending'),
    (30, 17, 3, '2024-06-04', 4, 'paid'),
    (31, 14, 3, '2024-05-28', 4, 'cancelled'),
    (32, 11, 3, '2024-09-05', 9, 'pending');

INSERT INTO staff VALUES
    (1, 'Adrien Colas', 2, 'receptionist', 2100),
    (2, 'Berthe Noel', 6, 'manager', 4200),
    (3, 'Carine Roux', 5, 'cleaner', 1750),
    (4, 'David Perez', 3, 'chef', 3100),
    (5, 'Emile Garnier', 6, 'receptionist', 2050),
    (6, 'Flore Andre', 6, 'manager', 3900),
    (7, 'Gilles Bonnet', 1, 'cleaner', 1820),
    (8, 'Helene Vidal', 3, 'chef', 3450),
    (9, 'Igor Blum', 5, 'porter', 1690),
    (10, 'Jeanne Faure', 5, 'receptionist', 2240);
