import test from 'ava';
import { openMemoryStore, openStore } from '../../core/store/sqlite/open-store.js';
import { registerConformanceTests } from './conformance.js';
import { temporaryDirectory } from './temporary-directory.js';

registerConformanceTests(test, 'memory', () => openMemoryStore());
registerConformanceTests(test, 'file', async (t) => openStore({ dataDir: await temporaryDirectory(t) }));
