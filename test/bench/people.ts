const FIRST = ['Maria', 'Jürgen', 'Zoë', 'Anna', 'Peter', 'Björn', 'Émile', 'Yuki', 'Eva', 'Thomas'];
const LAST = ['Müller', 'Schmidt', 'Öztürk', 'García', 'Weiß', 'Lee', 'Nguyễn', 'Zimmermann', 'Åberg', 'Novak'];
/** One user in `every` has a rare last name. */
const RARE = { name: 'Quixote', every: 99_991, from: 7 };
/** The last tenth of users share a name that no earlier user has, so that a scan in order finds them late. */
const LATE = { name: 'Letzter', from: 0.9 };

/**
 * The names of a user. A tenth of all users share each first name, and one in 10,000 most last names.
 * @param users the total number
 */
export function personOf(number: number, users: number): { firstName: string; lastName: string } {
  const firstName = FIRST[number % FIRST.length] ?? '';
  if (number % RARE.every === RARE.from) return { firstName, lastName: RARE.name };
  if (number > users * LATE.from) return { firstName, lastName: LATE.name };
  return { firstName, lastName: `${LAST[Math.floor(number / 1000) % LAST.length]} ${number % 1000}` };
}

/** The same in SQL, for user number `n`: as written, and as searched. */
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
