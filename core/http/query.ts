import { HostError } from '@keyhost/spi';

const REPLACEMENT_CHARACTER = '\ufffd';

/**
 * Parses a query string. `URLSearchParams` silently replaces invalid UTF-8, which is reported here.
 * @throws HostError 400 for invalid UTF-8
 */
export function readQuery(querystring: string): URLSearchParams {
  const query = new URLSearchParams(querystring);
  const hasReplacement = ([name, value]: [string, string]) =>
    name.includes(REPLACEMENT_CHARACTER) || value.includes(REPLACEMENT_CHARACTER);
  const isReplacementSent = querystring.includes(REPLACEMENT_CHARACTER) || /%EF%BF%BD/i.test(querystring);
  const invalid = isReplacementSent ? undefined : [...query].find(hasReplacement);
  if (invalid === undefined) return query;
  const message = `The parameter ${JSON.stringify(invalid[0].slice(0, 64))} of the query is not UTF-8`;
  throw new HostError('invalid_request', message, { status: 400 });
}
