import { HostError } from '@keyhost/spi';

const REPLACED = '\ufffd';

/**
 * Parses a query. `URLSearchParams` silently replaces invalid UTF-8, so check for it and report it.
 * @throws HostError 400
 */
export function readQuery(querystring: string): URLSearchParams {
  const query = new URLSearchParams(querystring);
  const isReplaced = ([name, value]: [string, string]) => name.includes(REPLACED) || value.includes(REPLACED);
  const isWrittenOut = querystring.includes(REPLACED) || /%EF%BF%BD/i.test(querystring);
  const replaced = isWrittenOut ? undefined : [...query].find(isReplaced);
  if (replaced === undefined) return query;
  const message = `The parameter ${JSON.stringify(replaced[0].slice(0, 64))} of the query is not UTF-8`;
  throw new HostError('invalid_request', message, { status: 400 });
}
