throw new Error('This module never loads')
