#include "lcok.h"

active proctype P()
{
    skip
}
