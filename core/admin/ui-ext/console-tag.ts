/**
 * The version of Keycloak's admin console (`@keycloak/keycloak-admin-ui`) whose private requests below `/ui-ext` this
 * room answers. They are no part of the Admin REST API and change with the console; they were the same from 26.6.2 on.
 */
export const CONSOLE_VERSION = '26.7.4';

/** How the OpenAPI document groups them. */
export const CONSOLE_TAG = `Admin Console ${CONSOLE_VERSION}`;
