import { join } from 'node:path';
import { HOST_DIR } from '../../config/host-folder.js';
import { buildSite } from './site.js';

const dir = join(HOST_DIR, 'dist', 'docs');
await buildSite(dir);
console.log(`the documentation: ${join(dir, 'index.html')}`);
