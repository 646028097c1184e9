import type { Dialect } from '../engine/dialect.js';
import { SQLITE_USERS } from './user-pieces.js';

/** https://www.sqlite.org/json1.html */
export const SQLITE: Dialect = {
  users: SQLITE_USERS,
  // Computed from the Julian day, because the other time functions of SQLite have whole seconds.
  time: "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)",
  text: (column, ...path) => `json_extract(${column}, '$.${path.join('.')}')`,
  isTrue: (column, member) => `COALESCE(json_extract(${column}, '$.${member}'), 0)`,
  elements: (list, name) => `json_each(${list}) ${name}`,
  textAt: (list, index) => `(${list} ->> ${index})`,
  listHas: (column, member, name, pattern) =>
    `EXISTS (SELECT 1 FROM json_each(${column}, '$.${member}') a, json_each(a.value) v ` +
    `WHERE a.key = ${name} AND v.value LIKE ${pattern} ESCAPE '\\')`,
};
