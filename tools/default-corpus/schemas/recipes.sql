-- A recipe site: cooks, recipes, what goes into them and what readers think.

CREATE TABLE cook (
    cook_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    country TEXT,
    years_experience INTEGER
);

CREATE TABLE recipe (
    recipe_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    cook_id INTEGER REFERENCES cook (cook_id),
    course TEXT,
    cooking_time INTEGER,
    calories INTEGER,
    difficulty TEXT
);

CREATE TABLE ingredient (
    ingredient_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    food_group TEXT,
    price_per_kg REAL
);

CREATE TABLE recipe_ingredient (
    recipe_id INTEGER REFERENCES recipe (recipe_id),
    ingredient_id INTEGER REFERENCES ingredient (ingredient_id),
    grams INTEGER,
    PRIMARY KEY (recipe_id, ingredient_id)
);

CREATE TABLE review (
    review_id INTEGER PRIMARY KEY,
    recipe_id INTEGER REFERENCES recipe (recipe_id),
    user_name TEXT,
    stars INTEGER,
    review_date DATE
);

INSERT INTO cook VALUES
    (1, 'Aisha Noor', 'Morocco', 8),
    (2, 'Bert Claes', 'Belgium', 15),
    (3, 'Chen Li', 'China', 21),
    (4, 'Dolores Vega', 'Mexico', 12),
    (5, 'Enzo Galli', 'Italy', 30),
    (6, 'Freya Holt', 'Denmark', 4),
    (7, 'Gopal Das', 'India', 18);

INSERT INTO recipe VALUES
    (1, 'Lemon Tagine', 1, 'main course', 80, 410, 'medium'),
    (2, 'Mint Tea Cake', 1, 'dessert', 55, 320, 'medium'),
    (3, 'Waffles', 2, 'breakfast', 30, 480, 'easy'),
    (4, 'Beef Stew', 2, 'main course', 150, 620, 'easy'),
    (5, 'Dumplings', 3, 'starter', 70, 290, 'easy'),
    (6, 'Fried Rice', 3, 'main course', 25, 450, 'easy'),
    (7, 'Corn Tacos', 4, 'main course', 35, 390, 'easy'),
    (8, 'Guacamole', 4, 'starter', 15, 180, 'easy'),
    (9, 'Lasagne', 5, 'main course', 95, 710, 'easy'),
    (10, 'Tiramisu', 5, 'dessert', 40, 430, 'easy'),
    (11, 'Minestrone', 5, 'soup', 60, 210, 'medium'),
    (12, 'Rye Porridge', 6, 'breakfast', 20, 260, 'easy'),
    (13, 'Lentil Dal', 7, 'soup', 45, 310, 'hard'),
    (14, 'Mango Lassi', 7, 'drink', 10, 190, 'easy'),
    (15, 'Chickpea Curry', 7, 'main course', 50, 420, 'easy'),
    (16, 'Focaccia', 5, 'side dish', 120, 340, 'medium');

INSERT INTO ingredient VALUES
    (1, 'flour', 'grain', 0.9),
    (2, 'rice', 'grain', 1.4),
    (3, 'lentils', 'legume', 2.1),
    (4, 'chickpeas', 'legume', 1.8),
    (5, 'tomato', 'vegetable', 2.5),
    (6, 'onion', 'vegetable', 1.1),
    (7, 'beef', 'meat', 11.5),
    (8, 'cream', 'dairy', 3.2),
    (9, 'cheese', 'dairy', 8.4),
    (10, 'lemon', 'fruit', 2.9),
    (11, 'mango', 'fruit', 3.7),
    (12, 'cinnamon', 'spice', 14.0),
    (13, 'avocado', 'fruit', 4.6),
    (14, 'saffron', 'spice', 60.0);

INSERT INTO recipe_ingredient VALUES
    (1, 2, 500),
    (1, 5, 20),
    (2, 3, 50),
    (2, 7, 50),
    (2, 12, 150),
    (3, 4, 500),
    (3, 6, 300),
    (3, 8, 500),
    (4, 6, 150),
    (4, 7, 300),
    (4, 11, 100),
    (5, 2, 50),
    (5, 6, 300),
    (5, 11, 150),
    (6, 8, 300),
    (6, 9, 500),
    (6, 12, 100),
    (7, 8, 500),
    (7, 11, 500),
    (8, 3, 100),
    (8, 5, 50),
    (8, 9, 300),
    (9, 3, 500),
    (9, 9, 300),
    (10, 5, 100),
    (10, 6, 200),
    (10, 8, 300),
    (11, 5, 300),
    (11, 7, 50),
    (11, 10, 300),
    (12, 8, 200),
    (12, 10, 50),
    (13, 4, 300),
    (13, 10, 150),
    (14, 6, 50),
    (14, 12, 500),
    (15, 2, 200),
    (15, 7, 20),
    (16, 1, 200),
    (16, 7, 300),
    (16, 13, 200);

INSERT INTO review VALUES
    (1, 2, 'spoonful', 5, '2023-12-19'),
    (2, 9, 'tomcooks', 3, '2023-04-06'),
    (3, 15, 'maria_k', 2, '2023-03-03'),
    (4, 10, 'gramps', 5, '2023-09-26'),
    (5, 15, 'gramps', 1, '2023-08-27'),
    (6, 9, 'gramps', 1, '2023-09-01'),
    (7, 4, 'spoonful', 1, '2023-07-10'),
    (8, 7, 'veggieval', 5, '2023-12-03'),
    (9, 11, 'veggieval', 3, '2023-01-01'),
    (10, 9, 'spoonful', 2, '2023-08-18'),
    (11, 15, 'veggieval', 4, '2023-04-22'),
    (12, 5, 'spoonful', 1, '2023-07-17'),
    (13, 4, 'gramps', 2, '2023-05-14'),
    (14, 5, 'spoonful', 4, '2023-10-08'),
    (15, 9, 'tomcooks', 5, '2023-05-14'),
    (16, 5, 'gramps', 3, '2023-07-02'),
    (17, 9, 'nightchef', 4, '2023-02-03'),
    (18, 2, 'veggieval', 1, '2023-11-25'),
    (19, 7, 'tomcooks', 4, '2023-08-18'),
    (20, 9, 'spoonful', 1, '2023-05-17'),
    (21, 10, 'tomcooks', 2, '2023-01-04'),
    (22, 9, 'tomcooks', 2, '2023-05-10'),
    (23, 9, 'spoonful', 1, '2023-06-05'),
    (24, 3, 'spoonful', 4, '2023-08-19'),
    (25, 16, 'nightchef', 1, '2023-06-18'),
    (26, 7, 'tomcooks', 1, '2023-06-06'),
    (27, 15, 'gramps', 2, '2023-01-08'),
    (28, 4, 'maria_k', 4, '2023-06-03');
