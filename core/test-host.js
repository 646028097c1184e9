// `keyhost/test-host`, which `@keyhost/spi/testing` imports.
import { pathToFileURL } from 'node:url';
import { built } from './built.js';

const program = built('test-host', 'core/host/test-host.js');
if (program === undefined) throw new Error('Keyhost is not built: npm run build builds it');

export const { openTestHost } = await import(pathToFileURL(program.path).href);
