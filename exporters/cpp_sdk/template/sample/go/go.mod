module modelyard.example/sample

go 1.18
