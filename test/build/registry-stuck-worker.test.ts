import './through-the-bundle.js';
import '../registry/stuck-worker.test.js';
