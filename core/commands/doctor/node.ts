import { endOfLifeSince } from '../../config/node-releases.js';
import { type Finding, findings } from './finding.js';

const { ok, warning } = findings('node');

/** Checks that this version of Node.js still gets security fixes. @param version such as `v24.4.1` */
export function checkNode(version: string, now: number): Finding[] {
  const since = endOfLifeSince(version, now);
  if (since === undefined) return [ok(`Node.js ${version}`)];
  return [
    warning(
      `Node.js ${version} has had no security fixes since ${since}`,
      'use a Node.js that is maintained, such as 24',
    ),
  ];
}
