byte empty;
active proctype P() { empty = 1 }
