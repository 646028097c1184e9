import test from 'ava';
import { openMemoryStore, openStore } from '../../core/store/sqlite/open-store.js';
import { conforms } from './conformance.js';
import { temporaryDirectory } from './temporary-directory.js';

conforms(test, 'memory', () => openMemoryStore());
conforms(test, 'file', async (t) => openStore({ dataDir: await temporaryDirectory(t) }));
