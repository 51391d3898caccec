byte counter;

init {
  conter = 1;
  (counter == 0 and true);
}
