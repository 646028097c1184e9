import { Options } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { ErrorPage, RootMiddleware } from '../http/module.js';
import { PublicAddress } from '../realms/public-address.js';
import { Realms } from '../realms/realms.js';
import { SessionFactory } from '../registry/sessions/session-factory.js';
import { errorPages } from './error-pages.js';
import { Pages } from './pages.js';
import { loginResources } from './resources/login-resources.js';
import { pluginFiles } from './resources/plugin-files.js';

export const pages = module('pages', [
  service(Pages, (use) => {
    const address = use(PublicAddress);
    return new Pages({
      sessions: use(SessionFactory),
      baseUrl: () => address.base,
      production: use(Options).mode === 'start',
    });
  }),
  service(ErrorPage, (use) =>
    errorPages({ pages: use(Pages), realms: use(Realms), proxyHeaders: use(Options).proxyHeaders }),
  ),
  adds(RootMiddleware, () => [loginResources(), pluginFiles()]),
]);
