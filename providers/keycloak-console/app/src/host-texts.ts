/** Texts of the console about the host, by language, since the host is not Keycloak. */
export const HOST_TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: {
    welcomeText:
      'This is Keycloak’s admin console over the Admin REST API of Keyhost. Plugins, realm files and links have their pages in the admin console, at /admin/desk/.',
  },
  de: {
    welcomeText:
      'Das ist Keycloaks Administrationskonsole über der Admin-REST-API von Keyhost. Plugins, Realm-Dateien und Links haben ihre Seiten in der Admin-Konsole unter /admin/desk/.',
  },
};
