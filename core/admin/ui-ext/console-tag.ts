/**
 * The version of Keycloak's admin console (`@keycloak/keycloak-admin-ui`) whose private requests below `/ui-ext` this
 * folder answers. They are not part of the Admin REST API, and change with the console. They have not changed since
 * 26.6.2.
 */
export const CONSOLE_VERSION = '26.7.4';

/** The OpenAPI tag of these operations. */
export const CONSOLE_TAG = `Admin Console ${CONSOLE_VERSION}`;
