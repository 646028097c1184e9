import { account } from '../account/module.js';
import { actionTokens } from '../action-tokens/module.js';
import { admin } from '../admin/module.js';
import { adminConsole } from '../admin-console/module.js';
import { broker } from '../broker/module.js';
import type { Module } from '../di/module.js';
import { grpc } from '../grpc/module.js';
import { http } from '../http/module.js';
import { keys } from '../keys/module.js';
import { login } from '../login/module.js';
import { mail } from '../mail/module.js';
import { oidc } from '../oidc/module.js';
import { pages } from '../pages/module.js';
import { realmFiles } from '../realm-files/module.js';
import { realms } from '../realms/module.js';
import { registry } from '../registry/module.js';
import { sessions } from '../sessions/module.js';
import { tokens } from '../tokens/module.js';
import { users } from '../users/module.js';
import { vault } from '../vault/module.js';
import { hostModule } from './module.js';

/** The modules of a host. If several add items to a list, the items are in the order of the modules. */
export const MODULES: readonly Module[] = [
  keys,
  users,
  realms,
  sessions,
  tokens,
  registry,
  vault,
  realmFiles,
  http,
  pages,
  mail,
  oidc,
  actionTokens,
  login,
  broker,
  account,
  hostModule,
  adminConsole,
  admin,
  grpc,
];
