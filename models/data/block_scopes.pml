/* The same name in sibling blocks means different variables, which may have different types. */
byte log;

active [2] proctype Nest()
{
	log = 3;
	{
		byte x = 10;
		x = x + 250;
		assert(x == 4);
		{
			int y = -1;
			y = y - x;
			assert(y == -5)
		};
		log = x
	};
	{
		int x;
		assert(x == 0);
		x = 260;
		assert(x == 260);
		log = x
	}
}
