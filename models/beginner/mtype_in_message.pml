mtype:fruit = { apple, pear };
mtype:colour = { red, green };
chan basket = [1] of { mtype:fruit };

active proctype P()
{
    basket!red
}
