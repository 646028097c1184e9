import { Clock } from '../di/host-tokens.js';
import { module, service } from '../di/module.js';
import { KeyRing } from '../keys/key-ring.js';
import { Store } from '../store/module.js';
import { Users } from '../users/users.js';
import { BrowserSessions } from './browser-sessions.js';
import { TokenSessions } from './token-sessions.js';

export const sessions = module('sessions', [
  service(
    BrowserSessions,
    (use) => new BrowserSessions({ keys: use(KeyRing), store: use(Store), users: use(Users), clock: use(Clock) }),
  ),
  service(TokenSessions, (use) => new TokenSessions({ store: use(Store), clock: use(Clock) })),
]);
