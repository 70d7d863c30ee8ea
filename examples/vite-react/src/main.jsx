import { createRoot } from 'react-dom/client';
import { Assistant } from './assistant.jsx';

createRoot(document.querySelector('#root')).render(<Assistant />);
