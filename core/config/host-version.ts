import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOST_DIR } from './host-folder.js';

/** The version of this Keyhost, such as `0.1.0`. */
export function hostVersion(): string {
  return (JSON.parse(readFileSync(join(HOST_DIR, 'package.json'), 'utf8')) as { version: string }).version;
}
