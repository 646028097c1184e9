import './through-the-bundle.js';
import '../grpc/start.test.js';
