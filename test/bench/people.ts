const FIRST = ['Maria', 'Jürgen', 'Zoë', 'Anna', 'Peter', 'Björn', 'Émile', 'Yuki', 'Eva', 'Thomas'];
const LAST = ['Müller', 'Schmidt', 'Öztürk', 'García', 'Weiß', 'Lee', 'Nguyễn', 'Zimmermann', 'Åberg', 'Novak'];
/** One of so many has a last name that few share. */
const RARE = { name: 'Quixote', every: 99_991, from: 7 };
/** The last tenth share a name that nobody has before them: those who look at users in order come to it late. */
const LATE = { name: 'Letzter', from: 0.9 };

/**
 * The names of a user. A first name is shared by a tenth of all, most last names by one of 10,000.
 * @param users how many there are
 */
export function personOf(number: number, users: number): { firstName: string; lastName: string } {
  const firstName = FIRST[number % FIRST.length] ?? '';
  if (number % RARE.every === RARE.from) return { firstName, lastName: RARE.name };
  if (number > users * LATE.from) return { firstName, lastName: LATE.name };
  return { firstName, lastName: `${LAST[Math.floor(number / 1000) % LAST.length]} ${number % 1000}` };
}

/** The same in SQL, for a user of the number `n`: as they are written, and as they are searched. */
export function personInSql(users: number, lower: boolean): { firstName: string; lastName: string } {
  const text = (name: string) => `'${lower ? name.toLowerCase() : name}'`;
  const nth = (names: readonly string[], index: string) =>
    `(ARRAY[${names.map(text).join(', ')}])[${index} % ${names.length} + 1]`;
  return {
    firstName: nth(FIRST, 'n'),
    lastName:
      `CASE WHEN n % ${RARE.every} = ${RARE.from} THEN ${text(RARE.name)} WHEN n > ${users * LATE.from} THEN ${text(LATE.name)} ` +
      `ELSE ${nth(LAST, '(n / 1000)')} || ' ' || n % 1000 END`,
  };
}
