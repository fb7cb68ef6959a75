/** Pages below a project that not all kinds of items have. */
export default ['map']
