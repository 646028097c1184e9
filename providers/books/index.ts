import { fileURLToPath } from 'node:url';
import { GrpcService, type Plugin, provide } from '@keyhost/spi';
import { BookAuthorService } from './book-author-service.js';
import { SHIPPED_DATA } from './book-data.js';
import { FollowedData } from './followed-data.js';

/** The scope that callers need if the service requires access tokens. */
const SCOPE = 'books';

export default {
  name: '@keyhost/books',
  api: 1,
  providers: [
    provide(GrpcService, {
      id: 'books',
      proto: 'book_author.proto',
      service: 'com.devProblems.BookAuthorService',
      methods: {
        getAuthor: { scope: SCOPE },
        getBooksByAuthor: { scope: SCOPE },
        getExpensiveBook: { scope: SCOPE },
        getBooksByGender: { scope: SCOPE },
      },
      config: {
        type: 'object',
        properties: {
          data: {
            type: 'string',
            minLength: 1,
            description: 'JSON file of authors and books. Changes take effect at once. Default: the included data.',
          },
          maxResults: {
            type: 'integer',
            minimum: 1,
            default: 1_000_000,
            description: 'Maximum number of books of one getBooksByGender call.',
          },
        },
        additionalProperties: false,
      },
      open: (config, host) => {
        const data = new FollowedData(config.data ?? fileURLToPath(SHIPPED_DATA), host.logger);
        const service = new BookAuthorService(() => data.current, config.maxResults);
        return { create: () => service, close: () => data.close() };
      },
    }),
  ],
} satisfies Plugin;
