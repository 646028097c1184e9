import './through-the-bundle.js';
import '../host/start.test.js';
