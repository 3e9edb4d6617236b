CREATE TABLE Teams (
  "Team ID" INTEGER,
  Team TEXT,
  Town TEXT,
  Founded INTEGER,
  Stadium TEXT,
  Capacity INTEGER,
  Coach TEXT,
  "Shirt Colour" TEXT
);
INSERT INTO Teams VALUES
(1, 'Harbour Rovers', 'Port Ellis', 1921, 'Dockside Park', 8200, 'Vince Carter', 'blue'),
(2, 'Milltown United', 'Milltown', 1934, 'The Weir', 5400, 'Anneke de Boer', 'red'),
(3, 'Castleford Rangers', 'Castleford', 1908, 'Keep Lane', 11500, 'Sean Doyle', 'green'),
(4, 'Westbrook Athletic', 'Westbrook', 1967, 'Brookside', 3900, 'Paolo Grassi', 'yellow'),
(5, 'St Agnes FC', 'Port Ellis', 1952, 'Chapel Ground', 2600, NULL, 'white'),
(6, 'Highmoor Town', 'Highmoor', 1989, 'Moor Road', 4700, 'Tariq Bello', 'red'),
(7, 'Ferndale Wanderers', 'Ferndale', 1946, 'Fern Meadow', 3300, 'Lisa Croft', 'green'),
(8, 'Quarry City', 'Stonehaven', 2004, 'Quarry Arena', 9800, 'Sean Murphy', 'black');
CREATE TABLE Matches (
  "Match No" INTEGER,
  Round INTEGER,
  Date TEXT,
  "Home Team ID" INTEGER,
  "Away Team ID" INTEGER,
  "Home Goals" INTEGER,
  "Away Goals" INTEGER,
  Spectators INTEGER,
  Status TEXT
);
INSERT INTO Matches VALUES
(1, 1, '2023-08-20', 1, 8, 1, 2, 5346, 'played'),
(2, 1, '2023-08-19', 7, 2, 3, 1, 2056, 'played'),
(3, 1, '2023-08-19', 3, 6, 4, 3, 10035, 'played'),
(4, 1, '2023-08-20', 5, 4, 1, 0, 1530, 'played'),
(5, 2, '2023-09-02', 7, 1, 3, 0, 2784, 'played'),
(6, 2, '2023-09-02', 8, 6, 3, 3, 4594, 'played'),
(7, 2, '2023-09-02', 5, 2, 1, 1, 1060, 'played'),
(8, 2, '2023-09-02', 3, 4, 4, 0, 8296, 'played'),
(9, 3, '2023-09-17', 6, 1, 2, 2, 1980, 'played'),
(10, 3, '2023-09-17', 7, 5, 2, 1, 2310, 'played'),
(11, 3, '2023-09-16', 4, 8, 2, 0, 3575, 'played'),
(12, 3, '2023-09-16', 2, 3, 2, 1, 2493, 'played'),
(13, 4, '2023-10-01', 5, 1, 1, 1, 1056, 'played'),
(14, 4, '2023-09-30', 6, 4, 0, 2, 1735, 'played'),
(15, 4, '2023-09-30', 3, 7, NULL, NULL, NULL, 'postponed'),
(16, 4, '2023-09-30', 8, 2, 4, 1, 6823, 'played'),
(17, 5, '2023-10-14', 1, 4, 1, 1, 7893, 'played'),
(18, 5, '2023-10-14', 3, 5, NULL, NULL, NULL, 'scheduled'),
(19, 5, '2023-10-14', 6, 2, 3, 0, 4179, 'played'),
(20, 5, '2023-10-14', 8, 7, NULL, NULL, NULL, 'scheduled');
CREATE TABLE Standings (
  Position INTEGER,
  "Team ID" INTEGER,
  Played INTEGER,
  Won INTEGER,
  Drawn INTEGER,
  Lost INTEGER,
  "Goals For" INTEGER,
  "Goals Against" INTEGER,
  Points INTEGER
);
INSERT INTO Standings VALUES
(1, 7, 3, 3, 0, 0, 8, 2, 9),
(2, 8, 4, 2, 1, 1, 9, 7, 7),
(3, 4, 5, 2, 1, 2, 5, 6, 7),
(4, 3, 3, 2, 0, 1, 9, 5, 6),
(5, 6, 5, 1, 2, 2, 11, 11, 5),
(6, 5, 4, 1, 2, 1, 4, 4, 5),
(7, 2, 5, 1, 1, 3, 5, 12, 4),
(8, 1, 5, 0, 3, 2, 5, 9, 3);
CREATE TABLE Players (
  "Player ID" INTEGER,
  "First Name" TEXT,
  "Last Name" TEXT,
  "Team ID" INTEGER,
  Position TEXT,
  "Shirt No" INTEGER,
  Born INTEGER,
  Goals INTEGER,
  "Yellow Cards" INTEGER,
  Injured INTEGER
);
INSERT INTO Players VALUES
(101, 'Ollie', 'Marsh', 8, 'goalkeeper', 16, 1996, 1, 0, 0),
(102, 'Ravi', 'Patel', 1, 'forward', 21, 1989, 3, 1, 0),
(103, 'Jack', 'Stubbs', 5, 'midfielder', 26, 2005, 1, 0, 0),
(104, 'Luca', 'Bianchi', 4, 'defender', 6, 1991, 2, 2, 0),
(105, 'Tom', 'Hale', 6, 'forward', 24, 1991, 1, 1, 0),
(106, 'Emeka', 'Obi', 7, 'forward', 17, 2004, 6, 1, 0),
(107, 'Bram', 'Visser', 1, 'forward', 6, 1999, 0, 0, 0),
(108, 'Kyle', 'Dunn', 2, 'midfielder', 4, 1991, 0, 2, 1),
(109, 'Arne', 'Holm', 7, 'midfielder', 28, 1988, 0, 0, 1),
(110, 'Diego', 'Ruiz', 2, 'forward', 10, 1993, 0, 0, 0),
(111, 'Sam', 'Whitlock', 6, 'goalkeeper', 1, 1991, 2, 1, 0),
(112, 'Joel', 'Frost', 2, 'forward', 30, 2002, 3, 2, 0),
(113, 'Niko', 'Saarinen', 5, 'goalkeeper', 29, 1996, 0, 2, 0),
(114, 'Pete', 'Lowry', 4, 'goalkeeper', 21, 1987, 1, 0, 0),
(115, 'Max', 'Adler', 1, 'midfielder', 28, 1992, 0, 2, 0),
(116, 'Yusuf', 'Demir', 5, 'midfielder', 1, 1995, 0, 1, 0),
(117, 'Callum', 'Reid', 6, 'midfielder', 14, 2003, 2, 0, 0),
(118, 'Theo', 'Nash', 6, 'defender', 29, 2001, 0, 0, 0);
