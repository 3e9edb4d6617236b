-- Podcasts: hosts, shows, episodes and who pays for them.

CREATE TABLE host (
    host_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    country TEXT,
    age INTEGER,
    website TEXT
);

CREATE TABLE podcast (
    podcast_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    topic TEXT,
    language TEXT,
    start_year INTEGER,
    subscribers INTEGER,
    host_id INTEGER,
    FOREIGN KEY (host_id) REFERENCES host (host_id)
);

CREATE TABLE episode (
    episode_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    podcast_id INTEGER,
    length INTEGER,
    published DATE,
    downloads INTEGER,
    FOREIGN KEY (podcast_id) REFERENCES podcast (podcast_id)
);

CREATE TABLE sponsor (
    sponsor_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    industry TEXT
);

CREATE TABLE deal (
    sponsor_id INTEGER,
    podcast_id INTEGER,
    amount INTEGER,
    PRIMARY KEY (sponsor_id, podcast_id),
    FOREIGN KEY (sponsor_id) REFERENCES sponsor (sponsor_id),
    FOREIGN KEY (podcast_id) REFERENCES podcast (podcast_id)
);

INSERT INTO host VALUES
    (1, 'Ines Green', 'Canada', 60, NULL),
    (2, 'Peter Young', 'Spain', 43, 'peter.example'),
    (3, 'Ben Bauer', 'Ireland', 35, NULL),
    (4, 'Ravi Novak', 'Canada', 44, 'ravi.example'),
    (5, 'Fiona Archer', 'Spain', 35, 'fiona.example'),
    (6, 'Leo Hansen', 'Spain', 56, NULL),
    (7, 'Hugo Ellis', 'Spain', 41, NULL),
    (8, 'Zoe Stone', 'Ghana', 27, 'zoe.example');

INSERT INTO podcast VALUES
    (1, 'Salt and Smoke', 'history', 'Spanish', 2016, 65500, 3),
    (2, 'Past Perfect', 'history', 'Spanish', 2021, 77000, 3),
    (3, 'Atom Hour', 'history', 'Spanish', 2018, 8000, 1),
    (4, 'The Back Post', 'cooking', 'Spanish', 2014, 43000, 5),
    (5, 'Slow Kitchen', 'history', 'English', 2015, 53500, 2),
    (6, 'Field Notes', 'sport', 'French', 2019, 61500, 6),
    (7, 'Second Half', 'history', 'English', 2020, 45500, 1),
    (8, 'Old Maps', 'science', 'Spanish', 2022, 16000, 3),
    (9, 'Deep Water', 'science', 'Spanish', 2017, 16000, 1);

INSERT INTO episode VALUES
    (1, 'First Bridge', 3, 20, '2023-03-06', 32800),
    (2, 'First Summer', 6, 69, '2020-08-18', 44200),
    (3, 'First Letter', 7, 91, '2023-11-12', 28700),
    (4, 'First Goal', 7, 80, '2020-08-13', 35300),
    (5, 'First Recipe', 1, 78, '2023-03-07', 57300),
    (6, 'First Island', 5, 20, '2019-10-03', 18400),
    (7, 'First Voice', 6, 18, '2020-09-21', 33100),
    (8, 'Lost Bridge', 7, 54, '2020-03-16', 29300),
    (9, 'Lost Summer', 1, 47, '2023-09-07', 9700),
    (10, 'Lost Letter', 6, 33, '2023-07-03', 34900),
    (11, 'Lost Goal', 7, 68, '2021-04-10', 1200),
    (12, 'Lost Recipe', 1, 32, '2023-05-18', 24700),
    (13, 'Lost Island', 4, 66, '2021-04-26', 25200),
    (14, 'Lost Voice', 7, 59, '2019-10-24', 23500),
    (15, 'Hidden Bridge', 7, 77, '2020-07-05', 10600),
    (16, 'Hidden Summer', 6, 32, '2019-05-12', 12500),
    (17, 'Hidden Letter', 6, 41, '2020-12-28', 5300),
    (18, 'Hidden Goal', 7, 24, '2020-07-09', 4500),
    (19, 'Hidden Recipe', 3, 21, '2020-08-27', 1400),
    (20, 'Hidden Island', 7, 33, '2021-11-04', 4400),
    (21, 'Hidden Voice', 5, 94, '2022-11-09', 31600),
    (22, 'Golden Bridge', 2, 47, '2021-12-01', 47200),
    (23, 'Golden Summer', 2, 56, '2020-02-21', 23500),
    (24, 'Golden Letter', 1, 56, '2020-05-05', 12700),
    (25, 'Golden Goal', 6, 83, '2020-04-21', 21800),
    (26, 'Golden Recipe', 5, 27, '2022-02-25', 300),
    (27, 'Golden Island', 7, 34, '2021-05-02', 32800),
    (28, 'Golden Voice', 5, 17, '2023-02-19', 2700),
    (29, 'Broken Bridge', 8, 89, '2021-07-07', 25500),
    (30, 'Broken Summer', 8, 27, '2021-06-25', 37700),
    (31, 'Broken Letter', 7, 75, '2020-04-25', 17800),
    (32, 'Broken Goal', 2, 57, '2022-02-16', 30700),
    (33, 'Broken Recipe', 5, 62, '2022-07-08', 48900),
    (34, 'Broken Island', 5, 16, '2022-11-09', 39900),
    (35, 'Broken Voice', 3, 58, '2019-01-03', 43200);

INSERT INTO sponsor VALUES
    (1, 'Mellow Tea', 'travel'),
    (2, 'Bluebird Bank', 'travel'),
    (3, 'Trailhead', 'travel'),
    (4, 'Crispo', 'travel'),
    (5, 'Wanderly', 'bank');

INSERT INTO deal VALUES
    (1, 3, 3400),
    (1, 5, 900),
    (1, 1, 3600),
    (1, 7, 2100),
    (2, 7, 1400),
    (2, 3, 700),
    (3, 1, 3600),
    (3, 7, 3500),
    (3, 8, 1300),
    (3, 2, 3600),
    (4, 4, 2000),
    (4, 1, 2000),
    (4, 5, 1300),
    (4, 2, 1900);
