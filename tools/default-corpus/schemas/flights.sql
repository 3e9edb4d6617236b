-- Air travel: airlines, airports, flights and the tickets passengers hold.

CREATE TABLE airline (
    airline_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    country TEXT,
    fleet_size INTEGER
);

CREATE TABLE airport (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT,
    country TEXT,
    elevation INTEGER
);

CREATE TABLE flight (
    flight_no TEXT PRIMARY KEY,
    airline_id INTEGER REFERENCES airline (airline_id),
    origin TEXT REFERENCES airport (code),
    destination TEXT REFERENCES airport (code),
    departure_time TEXT,
    duration INTEGER,
    distance INTEGER,
    price INTEGER
);

CREATE TABLE passenger (
    passenger_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    age INTEGER,
    nationality TEXT
);

CREATE TABLE ticket (
    ticket_id INTEGER PRIMARY KEY,
    flight_no TEXT REFERENCES flight (flight_no),
    passenger_id INTEGER REFERENCES passenger (passenger_id),
    seat_class TEXT,
    fare INTEGER
);

INSERT INTO airline VALUES
    (1, 'Nordwind', 'Norway', 42),
    (2, 'Aer Celta', 'Ireland', 28),
    (3, 'Iberjet', 'Spain', 65),
    (4, 'Alpina', 'Austria', 19),
    (5, 'BlueBird', 'United Kingdom', 110),
    (6, 'Hellas Air', 'Greece', 23),
    (7, 'Baltic Wings', 'Latvia', 14);

INSERT INTO airport VALUES
    ('OSL', 'Gardermoen', 'Oslo', 'Norway', 208),
    ('DUB', 'Dublin Airport', 'Dublin', 'Ireland', 74),
    ('MAD', 'Barajas', 'Madrid', 'Spain', 610),
    ('VIE', 'Schwechat', 'Vienna', 'Austria', 183),
    ('LHR', 'Heathrow', 'London', 'United Kingdom', 25),
    ('LGW', 'Gatwick', 'London', 'United Kingdom', 62),
    ('ATH', 'Venizelos', 'Athens', 'Greece', 94),
    ('RIX', 'Riga International', 'Riga', 'Latvia', 11),
    ('AGP', 'Costa del Sol', 'Malaga', 'Spain', 16),
    ('BGO', 'Flesland', 'Bergen', 'Norway', 50),
    ('ORY', 'Orly', 'Paris', 'France', 89);

INSERT INTO flight VALUES
    ('BW100', 7, 'ORY', 'DUB', '13:00', 261, 2720, 39),
    ('AC107', 2, 'ORY', 'RIX', '15:00', 214, 2150, 178),
    ('BB114', 5, 'VIE', 'ATH', '22:00', 284, 2990, 137),
    ('BB121', 5, 'AGP', 'LHR', '18:30', 92, 690, 86),
    ('IB128', 3, 'ATH', 'LHR', '08:15', 244, 2510, 397),
    ('BB135', 5, 'LHR', 'DUB', '11:30', 74, 470, 288),
    ('IB142', 3, 'AGP', 'ORY', '16:15', 66, 380, 347),
    ('AL149', 4, 'LHR', 'LGW', '07:15', 105, 850, 98),
    ('BB156', 5, 'LHR', 'ORY', '17:45', 138, 1240, 153),
    ('AC163', 2, 'ORY', 'VIE', '05:15', 277, 2910, 125),
    ('NW170', 1, 'LGW', 'AGP', '16:45', 185, 1800, 309),
    ('AL177', 4, 'LHR', 'MAD', '06:15', 263, 2740, 255),
    ('BB184', 5, 'ATH', 'DUB', '12:00', 242, 2490, 347),
    ('BB191', 5, 'RIX', 'ORY', '07:45', 216, 2180, 280),
    ('IB198', 3, 'ATH', 'DUB', '13:45', 136, 1220, 288),
    ('HA205', 6, 'MAD', 'OSL', '22:00', 64, 350, 167),
    ('BB212', 5, 'LGW', 'VIE', '21:45', 164, 1550, 207),
    ('BB219', 5, 'LHR', 'ATH', '20:30', 234, 2390, 347),
    ('BB226', 5, 'RIX', 'ORY', '17:45', 115, 960, 195),
    ('BB233', 5, 'RIX', 'LGW', '10:45', 210, 2110, 394),
    ('BB240', 5, 'LHR', 'LGW', '20:15', 224, 2270, 187),
    ('BB247', 5, 'OSL', 'RIX', '10:00', 79, 530, 351),
    ('BW254', 7, 'ORY', 'DUB', '16:45', 212, 2130, 340),
    ('NW261', 1, 'VIE', 'MAD', '05:45', 169, 1610, 307),
    ('BB268', 5, 'DUB', 'RIX', '08:30', 153, 1420, 224),
    ('AC275', 2, 'VIE', 'LGW', '06:00', 115, 970, 404),
    ('NW282', 1, 'OSL', 'RIX', '07:00', 251, 2600, 398),
    ('BB289', 5, 'MAD', 'DUB', '13:45', 123, 1060, 294);

INSERT INTO passenger VALUES
    (1, 'Agnes Holm', 61, 'Norwegian'),
    (2, 'Brendan Kelly', 45, 'Irish'),
    (3, 'Carmen Ruiz', 33, 'Spanish'),
    (4, 'Dora Weiss', 27, 'Austrian'),
    (5, 'Edward Lane', 52, 'British'),
    (6, 'Fiona Grady', 19, 'Irish'),
    (7, 'Georgios Pappas', 38, 'Greek'),
    (8, 'Hanna Ozola', 24, 'Latvian'),
    (9, 'Ivo Santos', 47, 'Spanish'),
    (10, 'Julia Marsh', 30, 'British'),
    (11, 'Karl Brandt', 58, 'Austrian'),
    (12, 'Lucy Bell', 22, 'British'),
    (13, 'Miguel Soto', 65, 'Spanish');

INSERT INTO ticket VALUES
    (1, 'BW254', 1, 'economy', 95),
    (2, 'IB198', 12, 'business', 340),
    (3, 'BB219', 5, 'business', 890),
    (4, 'BB114', 6, 'economy', 120),
    (5, 'AL177', 1, 'economy', 520),
    (6, 'BB289', 5, 'economy', 120),
    (7, 'HA205', 10, 'business', 150),
    (8, 'AC107', 2, 'economy', 890),
    (9, 'BB240', 5, 'first', 45),
    (10, 'NW261', 4, 'economy', 150),
    (11, 'AC107', 1, 'economy', 210),
    (12, 'NW170', 2, 'economy', 60),
    (13, 'BB184', 3, 'business', 340),
    (14, 'BB240', 2, 'economy', 60),
    (15, 'AL177', 1, 'economy', 520),
    (16, 'BW254', 3, 'economy', 120),
    (17, 'NW261', 3, 'first', 890),
    (18, 'BB289', 9, 'economy', 95),
    (19, 'BW254', 3, 'business', 79),
    (20, 'BB268', 7, 'economy', 520),
    (21, 'BB226', 1, 'first', 210),
    (22, 'IB142', 7, 'business', 520),
    (23, 'IB198', 1, 'business', 520),
    (24, 'BB219', 3, 'economy', 520),
    (25, 'AC275', 9, 'economy', 79),
    (26, 'IB128', 4, 'economy', 210),
    (27, 'BB114', 1, 'economy', 45),
    (28, 'HA205', 1, 'economy', 520),
    (29, 'BB121', 9, 'first', 45),
    (30, 'AC107', 5, 'business', 95),
    (31, 'BB268', 6, 'economy', 340),
    (32, 'BB114', 1, 'economy', 340),
    (33, 'BB121', 3, 'economy', 45),
    (34, 'BB247', 1, 'business', 120),
    (35, 'BB156', 11, 'economy', 95),
    (36, 'NW282', 5, 'economy', 890),
    (37, 'BW100', 5, 'first', 150),
    (38, 'BB268', 2, 'first', 890);
