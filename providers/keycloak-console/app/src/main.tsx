import '@patternfly/react-core/dist/styles/base.css';
import '@patternfly/patternfly/patternfly-addons.css';
import '@keycloak/keycloak-admin-ui/styles.css';
import './console.css';
// This library's own copy: a context of keycloak-ui-shared's copy would not be found.
import { AdminUi, KeycloakProvider, routes } from '@keycloak/keycloak-admin-ui';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { createHashRouter, RouterProvider } from 'react-router-dom';
import { followColours } from './colours.ts';
import { readEnvironment } from './environment.ts';
import { loadMessages } from './messages.ts';

const environment = readEnvironment();
followColours(environment.darkMode);
const messages = await loadMessages(environment);
const router = createHashRouter([
  {
    path: '/',
    element: (
      <KeycloakProvider environment={environment}>
        <AdminUi />
      </KeycloakProvider>
    ),
    children: routes,
  },
]);
const app = document.getElementById('app');
if (app !== null) {
  createRoot(app).render(
    <I18nextProvider i18n={messages}>
      <RouterProvider router={router} />
    </I18nextProvider>,
  );
}
