module remora

go 1.26
