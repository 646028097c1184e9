import { openStore } from '../../core/store/sqlite/open-store.js';
import { NOW, REALM } from './records.js';

/** Writes events until the store refuses one. Then prints the number of acknowledged events and the error. */
const [, , dataDir = ''] = process.argv;
const store = await openStore({ dataDir });
let acknowledged = 0;
let refusal: unknown;
while (refusal === undefined) {
  const event = {
    id: `${acknowledged}`,
    realm: REALM,
    kind: 'user',
    time: NOW,
    type: 'LOGIN',
    body: 'x'.repeat(20_000),
  } as const;
  try {
    await store.events.append([event]);
    acknowledged += 1;
  } catch (error) {
    refusal = error;
  }
}
const { code, status } = refusal as { code: string; status: number };
const readable = (await store.events.query(REALM, { kind: 'user', max: 100_000 })).length;
process.stdout.write(JSON.stringify({ acknowledged, code, status, readable }));
await store.close();
