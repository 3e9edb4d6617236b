CREATE TABLE Objects (
  Object TEXT,
  "Common Name" TEXT,
  Type TEXT,
  Constellation TEXT,
  Magnitude REAL,
  "Distance ly" INTEGER,
  "Size arcmin" REAL
);
INSERT INTO Objects VALUES
('M31', 'Andromeda Galaxy', 'galaxy', 'Andromeda', 3.4, 2500000, 190),
('M42', 'Orion Nebula', 'nebula', 'Orion', 4.0, 1344, 85),
('M45', 'Pleiades', 'open cluster', 'Taurus', 1.6, 444, 110),
('M13', 'Hercules Cluster', 'globular cluster', 'Hercules', 5.8, 22200, 20),
('M57', 'Ring Nebula', 'nebula', 'Lyra', 8.8, 2570, 1.4),
('M81', 'Bode''s Galaxy', 'galaxy', 'Ursa Major', 6.9, 11800000, 26.9),
('M82', 'Cigar Galaxy', 'galaxy', 'Ursa Major', 8.4, 11900000, 11.2),
('NGC869', 'Double Cluster', 'open cluster', 'Perseus', 5.3, 7500, 60),
('M104', 'Sombrero Galaxy', 'galaxy', 'Virgo', 8.0, 29300000, 9),
('M27', 'Dumbbell Nebula', 'nebula', 'Vulpecula', 7.5, 1360, 8),
('JUP', 'Jupiter', 'planet', NULL, -2.4, NULL, 0.8),
('SAT', 'Saturn', 'planet', NULL, 0.5, NULL, 0.3),
('ALB', 'Albireo', 'double star', 'Cygnus', 3.1, 430, 0.6),
('M3', 'M3 Cluster', 'globular cluster', 'Canes Venatici', 6.2, 33900, 18);
CREATE TABLE Telescopes (
  "Telescope ID" INTEGER,
  Name TEXT,
  Design TEXT,
  "Aperture mm" INTEGER,
  "Focal Length mm" INTEGER,
  "Weight kg" REAL,
  Bought TEXT,
  Price REAL
);
INSERT INTO Telescopes VALUES
(1, 'Big Dob', 'Dobsonian', 254, 1200, 27.5, '2019-11-02', 649),
(2, 'Travel Mak', 'Maksutov', 90, 1250, 3.1, '2021-04-16', 289),
(3, 'Old Refractor', 'Refractor', 102, 1000, 9.8, '2008-07-20', 410),
(4, 'Bino', 'Binoculars', 50, NULL, 0.9, '2016-12-24', 119),
(5, 'Astrograph', 'Newtonian', 150, 600, 6.2, '2023-09-01', 780);
CREATE TABLE Sessions (
  "Session ID" INTEGER,
  Site TEXT,
  Started TEXT,
  Ended TEXT,
  Seeing INTEGER,
  "Temp C" INTEGER,
  "Moon %" INTEGER
);
INSERT INTO Sessions VALUES
(1, 'Back garden', '2023-04-09 20:30:00', '2023-04-09 21:40:00', 3, -5, 0),
(2, 'Back garden', '2023-04-12 20:30:00', '2023-04-13 00:25:00', 5, 7, 0),
(3, 'Back garden', '2023-08-24 22:30:00', '2023-08-25 00:50:00', 4, -3, 60),
(4, 'Eifel car park', '2023-08-31 21:30:00', '2023-08-31 23:50:00', 4, 0, 0),
(5, 'Back garden', '2023-09-05 22:30:00', '2023-09-05 23:30:00', 5, 12, 0),
(6, 'Back garden', '2023-09-22 21:30:00', '2023-09-22 23:55:00', 3, 1, 0),
(7, 'Back garden', '2023-09-24 19:30:00', NULL, 2, -9, 12),
(8, 'Back garden', '2023-10-18 22:30:00', '2023-10-18 23:30:00', 1, -3, 60),
(9, 'Eifel car park', '2023-11-01 22:30:00', '2023-11-02 00:05:00', 3, -2, 60),
(10, 'Back garden', '2024-02-08 19:30:00', '2024-02-08 22:20:00', 1, -6, 0),
(11, 'Eifel car park', '2024-02-20 19:30:00', '2024-02-20 21:35:00', 2, 14, 0),
(12, 'Star Hill', '2024-03-17 20:30:00', '2024-03-17 22:40:00', 4, 9, 0),
(13, 'Back garden', '2024-03-18 20:30:00', '2024-03-19 00:15:00', 1, 6, 12),
(14, 'Star Hill', '2024-03-23 20:30:00', '2024-03-23 22:55:00', 1, 12, 35),
(15, 'Back garden', '2024-04-22 19:30:00', '2024-04-22 23:25:00', 3, 9, 0);
CREATE TABLE Observations (
  "Session ID" INTEGER,
  Object TEXT,
  "Telescope ID" INTEGER,
  Magnification INTEGER,
  "Photo Taken" INTEGER,
  Remarks TEXT
);
INSERT INTO Observations VALUES
(1, 'JUP', 4, 120, 1, NULL),
(2, 'M31', 1, 60, 1, NULL),
(3, 'SAT', 1, 200, 0, 'seen with averted vision'),
(3, 'M57', 2, 120, 1, NULL),
(4, 'JUP', 3, 120, 0, 'superb view'),
(5, 'M13', 1, 200, 0, 'seen with averted vision'),
(5, 'M31', 1, 200, 0, NULL),
(6, 'M3', 3, 40, 0, 'seen with averted vision'),
(6, 'M42', 3, 60, 1, 'clouds moved in'),
(6, 'M45', 1, 150, 0, NULL),
(6, 'M13', 3, 120, 1, 'seen with averted vision'),
(7, 'M31', 1, 150, 1, 'clouds moved in'),
(7, 'M13', 1, 60, 0, 'seen with averted vision'),
(7, 'M45', 1, 150, 0, 'superb view'),
(8, 'M31', 1, 150, 0, 'faint'),
(8, 'JUP', 4, 120, 1, 'faint'),
(9, 'ALB', 1, 200, 1, 'faint'),
(9, 'M13', 2, 120, 0, 'clouds moved in'),
(10, 'M13', 1, 150, 0, 'superb view'),
(10, 'ALB', 2, 200, 0, 'faint'),
(10, 'M82', 1, 150, 1, 'clouds moved in'),
(11, 'M57', 1, 60, 0, NULL),
(12, 'M81', 1, 120, 0, NULL),
(13, 'M31', 2, 120, 0, NULL),
(13, 'M3', 1, 60, 0, NULL),
(13, 'JUP', 1, 75, 1, NULL),
(14, 'M82', 4, 40, 0, 'clouds moved in'),
(15, 'M42', 1, 40, 0, 'seen with averted vision');
