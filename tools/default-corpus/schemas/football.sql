-- A football league: clubs, grounds, coaches, players and results.

CREATE TABLE stadium (
    stadium_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT,
    capacity INTEGER
);

CREATE TABLE team (
    team_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT,
    founded INTEGER,
    stadium_id INTEGER REFERENCES stadium (stadium_id)
);

CREATE TABLE coach (
    coach_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    nationality TEXT,
    team_id INTEGER REFERENCES team (team_id),
    years_experience INTEGER
);

CREATE TABLE player (
    player_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    team_id INTEGER REFERENCES team (team_id),
    position TEXT,
    age INTEGER,
    height INTEGER,
    nationality TEXT,
    market_value REAL
);

CREATE TABLE game (
    game_id INTEGER PRIMARY KEY,
    home_team_id INTEGER REFERENCES team (team_id),
    away_team_id INTEGER REFERENCES team (team_id),
    game_date DATE,
    home_goals INTEGER,
    away_goals INTEGER,
    attendance INTEGER
);

INSERT INTO stadium VALUES
    (1, 'Castle Ground', 'Derby', 18200),
    (2, 'Meadow Park', 'Lincoln', 9400),
    (3, 'Forge Arena', 'Sheffield', 32500),
    (4, 'Quayside', 'Grimsby', 11800),
    (5, 'Victory Road', 'Derby', 7600),
    (6, 'Mill Lane', 'Mansfield', 5200),
    (7, 'Beacon Hill', 'Sheffield', 24100);

INSERT INTO team VALUES
    (1, 'Derby Rovers', 'Derby', 1892, 1),
    (2, 'Lincoln Athletic', 'Lincoln', 1884, 2),
    (3, 'Sheffield Steelers', 'Sheffield', 1901, 3),
    (4, 'Grimsby Mariners', 'Grimsby', 1923, 4),
    (5, 'Derby Celtic', 'Derby', 1978, 5),
    (6, 'Mansfield Town', 'Mansfield', 1910, 6),
    (7, 'Sheffield United Workers', 'Sheffield', 1955, 7);

INSERT INTO coach VALUES
    (1, 'Gary Holt', 'English', 1, 14),
    (2, 'Sven Dahl', 'Swedish', 3, 22),
    (3, 'Luis Ortega', 'Spanish', 4, 9),
    (4, 'Mark Pryce', 'Welsh', 2, 6),
    (5, 'Aldo Ricci', 'Italian', 7, 17),
    (6, 'Dean Foster', 'English', 6, 3),
    (7, 'Ian Rowe', 'English', 5, 11);

INSERT INTO player VALUES
    (1, 'Aaron Blake', 1, 'midfielder', 26, 190, 'Irish', 0.4),
    (2, 'Bilal Khan', 2, 'midfielder', 25, 171, 'English', 0.9),
    (3, 'Carlos Mendes', 3, 'defender', 33, 183, 'Brazilian', 0.9),
    (4, 'Danny Hughes', 4, 'midfielder', 25, 168, 'Welsh', 7.5),
    (5, 'Emil Larsen', 5, 'defender', 23, 192, 'English', 0.9),
    (6, 'Femi Adeyemi', 6, 'defender', 37, 196, 'English', 1.5),
    (7, 'George Tate', 7, 'goalkeeper', 18, 181, 'Welsh', 1.5),
    (8, 'Henrik Olsen', 1, 'defender', 27, 188, 'Welsh', 2.2),
    (9, 'Ivan Petkov', 2, 'defender', 24, 192, 'Spanish', 0.4),
    (10, 'Jamal Brown', 3, 'defender', 31, 178, 'English', 3.8),
    (11, 'Kieran Walsh', 4, 'goalkeeper', 28, 187, 'English', 5.1),
    (12, 'Luca Moretti', 5, 'goalkeeper', 27, 190, 'Spanish', 12.0),
    (13, 'Mateo Silva', 6, 'striker', 28, 179, 'Danish', 12.0),
    (14, 'Neil Cross', 7, 'striker', 23, 171, 'Spanish', 0.4),
    (15, 'Owen Pugh', 1, 'striker', 29, 193, 'English', 7.5),
    (16, 'Pedro Alves', 2, 'defender', 30, 168, 'Danish', 0.4),
    (17, 'Quinn Doherty', 3, 'striker', 23, 180, 'English', 2.2),
    (18, 'Rafael Costa', 4, 'midfielder', 29, 190, 'Irish', 3.8),
    (19, 'Stefan Kruse', 4, 'goalkeeper', 36, 191, 'Spanish', 0.4),
    (20, 'Tyler Dean', 4, 'goalkeeper', 24, 189, 'Irish', 5.1),
    (21, 'Viktor Hajek', 3, 'defender', 26, 173, 'Spanish', 5.1),
    (22, 'Wes Morgan', 3, 'defender', 20, 177, 'Spanish', 12.0),
    (23, 'Yannick Diallo', 3, 'striker', 19, 173, 'Irish', 7.5),
    (24, 'Zack Ford', 1, 'defender', 37, 190, 'Spanish', 12.0);

INSERT INTO game VALUES
    (1, 4, 2, '2023-01-21', 0, 3, 19200),
    (2, 3, 2, '2023-12-19', 1, 3, 7500),
    (3, 2, 4, '2023-06-05', 0, 3, 17100),
    (4, 2, 5, '2023-10-28', 1, 4, 25300),
    (5, 5, 4, '2023-08-09', 2, 3, 22700),
    (6, 2, 1, '2023-07-27', 4, 1, 27600),
    (7, 4, 2, '2023-02-16', 2, 4, 30100),
    (8, 7, 4, '2023-02-26', 2, 4, 3800),
    (9, 3, 4, '2023-09-23', 5, 2, 26900),
    (10, 3, 7, '2023-06-21', 1, 4, 2600),
    (11, 5, 3, '2023-06-22', 2, 3, 16800),
    (12, 7, 4, '2023-06-09', 5, 2, 23000),
    (13, 4, 2, '2023-12-15', 2, 2, 28600),
    (14, 2, 7, '2023-04-27', 2, 3, 16500),
    (15, 1, 4, '2023-03-20', 4, 4, 23600),
    (16, 3, 7, '2023-12-01', 1, 1, 24600),
    (17, 2, 3, '2023-11-06', 5, 0, 26200),
    (18, 3, 2, '2023-01-05', 0, 2, 11300),
    (19, 5, 3, '2023-09-02', 3, 3, 20000),
    (20, 4, 1, '2023-10-07', 1, 2, 2100),
    (21, 3, 4, '2023-02-23', 4, 2, 3900),
    (22, 7, 3, '2023-02-10', 4, 4, 19400),
    (23, 3, 4, '2023-03-14', 3, 4, 29600),
    (24, 4, 5, '2023-03-06', 4, 3, 30900),
    (25, 5, 3, '2023-03-20', 0, 2, 2100),
    (26, 4, 1, '2023-06-19', 4, 4, 9300);
