import { adminApiPage } from './admin-api-page.js';
import { errorsPage } from './errors-page.js';
import { eventsPage } from './events-page.js';
import { keycloakSettingsPage } from './keycloak-settings-page.js';
import { metricsPage } from './metrics-page.js';
import { realmPage } from './realm-page.js';

/** The folder of the pages, relative to the folder of the repository. */
export const REFERENCE = 'core/docs/reference';

/** Functions that write the pages from the source code, by the name of the file. */
export const REFERENCE_PAGES: Readonly<Record<string, () => Promise<string>>> = {
  'admin-api.md': adminApiPage,
  'errors.md': errorsPage,
  'events.md': eventsPage,
  'keycloak-settings.md': keycloakSettingsPage,
  'metrics.md': metricsPage,
  'realm-settings.md': realmPage,
};
