import type { Page } from '@keyhost/spi';
import { confirmPage } from './forms/confirm-page.js';
import { consentPage } from './forms/consent-page.js';
import { errorPage } from './forms/error-page.js';
import { formPage } from './forms/form-page.js';
import { formPostPage } from './forms/form-post-page.js';
import { frontchannelLogoutPage } from './forms/frontchannel-logout-page.js';
import { infoPage } from './forms/info-page.js';
import { loginPage } from './forms/login-page.js';
import { pageExpiredPage } from './forms/page-expired-page.js';
import type { Texts } from './messages/texts.js';
import type { PageBody } from './page-body.js';

/**
 * The built-in body of any page.
 * @param showsFaults true: error pages also show the application's errors
 */
export function pageBodyOf(page: Page, texts: Texts, showsFaults: boolean): PageBody {
  switch (page.page) {
    case 'login':
      return loginPage(page, texts);
    case 'consent':
      return consentPage(page, texts);
    case 'error':
      return errorPage(page, texts, showsFaults);
    case 'info':
      return infoPage(page, texts);
    case 'page-expired':
      return pageExpiredPage(page, texts);
    case 'confirm':
      return confirmPage(page, texts);
    case 'form-post':
      return formPostPage(page, texts);
    case 'frontchannel-logout':
      return frontchannelLogoutPage(page, texts);
    case 'form':
      return formPage(page, texts);
  }
}
